// Package encoding is TextEncoder, TextDecoder, atob and btoa (Encoding; HTML 8.3).
package encoding

import (
	"encoding/base64"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
)

// Define defines the natives of these scripts.
func Define(e engine.Engine) {
	e.Define("utf8Encode", func(a engine.Args) any { return engine.Bytes(a.Text(0)) }) // lone surrogates become U+FFFD
	e.Define("encodingName", func(a engine.Args) any { return nameOf(a.Text(0)) })
	e.Define("decode", func(a engine.Args) any {
		b, _ := a.Bytes(1)
		d := Decode(a.Text(0), b, a.True(2), int(a.Integer(3)))
		return engine.Object{"text", d.Text, "used", d.used, "bad", d.bad, "state", d.state}
	})
	e.Define("utf8Prefix", utf8Prefix)
	e.Define("base64Encode", func(a engine.Args) any {
		b, ok := Latin1(a.Text(0))
		if !ok {
			return nil
		}
		return base64.StdEncoding.EncodeToString(b)
	})
	e.Define("base64Bytes", func(a engine.Args) any {
		b, _ := a.Bytes(0)
		decoded, ok := forgivingBase64(string(b))
		if !ok {
			return nil
		}
		return engine.Bytes(decoded)
	})
	e.Define("base64Decode", func(a engine.Args) any {
		b, ok := forgivingBase64(a.Text(0))
		if !ok {
			return nil
		}
		var s strings.Builder
		for _, c := range b {
			s.WriteRune(rune(c))
		}
		return s.String()
	})
}

// utf8Prefix encodes as many characters as fit into some bytes, and returns the number of their UTF-16 code units.
func utf8Prefix(a engine.Args) any {
	s, room := a.Text(0), int(a.Integer(1))
	written, read := 0, 0
	for _, r := range s {
		n := utf8.RuneLen(r)
		if written+n > room {
			break
		}
		written += n
		read += utf16.RuneLen(r)
	}
	return engine.Object{"bytes", engine.Bytes(s[:written]), "read", read}
}

// Latin1 makes a byte of each character, if all are below 256.
func Latin1(s string) ([]byte, bool) {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xff {
			return nil, false
		}
		b = append(b, byte(r))
	}
	return b, true
}

// FromLatin1 makes a string of bytes, each of which is a code point, as in headers (isomorphic decode).
func FromLatin1(s string) string {
	for i := range len(s) {
		if s[i] >= 0x80 {
			runes := make([]rune, 0, len(s))
			for j := range len(s) {
				runes = append(runes, rune(s[j]))
			}
			return string(runes)
		}
	}
	return s
}

// ToLatin1 is the reverse. Text with other characters stays as it is.
func ToLatin1(s string) string {
	b, ok := Latin1(s)
	if !ok {
		return s
	}
	return string(b)
}

// forgivingBase64 is Infra's forgiving-base64 decode.
func forgivingBase64(s string) ([]byte, bool) {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune("\t\n\f\r ", r) {
			return -1
		}
		return r
	}, s)
	if len(s)%4 == 0 {
		s = strings.TrimSuffix(strings.TrimSuffix(s, "="), "=")
	}
	if len(s)%4 == 1 || strings.ContainsAny(s, "=") {
		return nil, false
	}
	b, err := base64.RawStdEncoding.DecodeString(s)
	return b, err == nil
}
