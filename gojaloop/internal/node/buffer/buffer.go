// Package buffer is Node's buffer module.
package buffer

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
)

// Define gives buffer.js what it builds on. Encodings have the names that buffer.js normalizes.
func Define(e engine.Engine) {
	e.Define("bufferEncode", func(a engine.Args) any { return engine.Bytes(Encode(a, 0, a.Text(1))) })
	e.Define("bufferDecode", func(a engine.Args) any {
		b, _ := a.View(0)
		start, end := bounds(a, 2, len(b))
		return Decode(b[start:end], a.Text(1))
	})
	e.Define("bufferByteLength", func(a engine.Args) any { return len(Encode(a, 0, a.Text(1))) })
	e.Define("bufferCompare", func(a engine.Args) any {
		x, _ := a.View(0)
		y, _ := a.View(1)
		return bytes.Compare(x, y)
	})
	e.Define("bufferIndexOf", indexOf)
	e.Define("bufferFill", func(a engine.Args) any {
		b, _ := a.View(0)
		with, _ := a.View(1)
		start, end := bounds(a, 2, len(b))
		if start < end && len(with) > 0 {
			b = b[start:end]
			for n := copy(b, bytes.Clone(with)); n < len(b); n *= 2 {
				copy(b[n:], b[:n])
			}
		}
		return nil
	})
	e.Define("isUtf8", func(a engine.Args) any { b, _ := a.View(0); return utf8.Valid(b) })
	e.Define("isAscii", func(a engine.Args) any {
		b, _ := a.View(0)
		return !bytes.ContainsFunc(b, func(r rune) bool { return r >= 0x80 })
	})
}

// bounds are a start and an end in n bytes.
func bounds(a engine.Args, i, n int) (start, end int) {
	clamp := func(v int64) int { return int(max(0, min(v, int64(n)))) }
	start, end = 0, n
	if a.Defined(i) {
		start = clamp(a.Integer(i))
	}
	if a.Defined(i + 1) {
		end = clamp(a.Integer(i + 1))
	}
	return start, max(start, end)
}

// indexOf is bufferIndexOf(in, for, from, step, forwards).
func indexOf(a engine.Args) any {
	b, _ := a.View(0)
	what, _ := a.View(1)
	from, step := int(max(-1, min(a.Integer(2), int64(len(b))))), max(1, int(a.Integer(3)))
	if a.True(4) {
		for at := max(from, 0); at <= len(b); {
			i := bytes.Index(b[at:], what)
			if i < 0 {
				return -1
			}
			if at += i; at%step == 0 {
				return at
			}
			at++
		}
		return -1
	}
	for at := min(from, len(b)-len(what)); at >= 0; {
		i := bytes.LastIndex(b[:at+len(what)], what)
		if i < 0 {
			return -1
		}
		if i%step == 0 {
			return i
		}
		at = i - 1
	}
	return -1
}

// Encode makes bytes of a string.
func Encode(a engine.Args, i int, encoding string) []byte {
	switch encoding {
	case "latin1", "ascii":
		units := a.UTF16(i)
		b := make([]byte, len(units))
		for j, u := range units {
			b[j] = byte(u)
		}
		return b
	case "utf16le":
		units := a.UTF16(i)
		b := make([]byte, 0, 2*len(units))
		for _, u := range units {
			b = binary.LittleEndian.AppendUint16(b, u)
		}
		return b
	case "hex":
		return unhex(a.Text(i))
	case "base64", "base64url":
		return unbase64(a.Text(i))
	}
	return []byte(a.Text(i))
}

// unhex decodes pairs of digits up to what is none.
func unhex(s string) []byte {
	n := 0
	for n+1 < len(s) && isHex(s[n]) && isHex(s[n+1]) {
		n += 2
	}
	b, _ := hex.DecodeString(s[:n]) // it has nothing else
	return b
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// unbase64 decodes both alphabets, skips what belongs to none, and ends at the first =.
func unbase64(s string) []byte {
	s, _, _ = strings.Cut(s, "=")
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '-':
			return '+'
		case r == '_':
			return '/'
		case r == '+', r == '/', '0' <= r && r <= '9', 'A' <= r && r <= 'Z', 'a' <= r && r <= 'z':
			return r
		}
		return -1
	}, s)
	if len(s)%4 == 1 {
		s = s[:len(s)-1]
	}
	b, _ := base64.RawStdEncoding.DecodeString(s) // it has nothing else
	return b
}

// Decode makes a string of bytes.
func Decode(b []byte, encoding string) any {
	switch encoding {
	case "latin1":
		return latin1(b, 0xff)
	case "ascii":
		return latin1(b, 0x7f)
	case "utf16le":
		units := make(engine.UTF16, len(b)/2)
		for i := range units {
			units[i] = binary.LittleEndian.Uint16(b[2*i:])
		}
		return units
	case "hex":
		return hex.EncodeToString(b)
	case "base64":
		return base64.StdEncoding.EncodeToString(b)
	case "base64url":
		return base64.RawURLEncoding.EncodeToString(b)
	}
	return UTF8(b)
}

func latin1(b []byte, mask byte) string {
	var s strings.Builder
	s.Grow(len(b))
	for _, c := range b {
		s.WriteRune(rune(c & mask))
	}
	return s.String()
}

// UTF8 decodes as the Encoding Standard does: each maximal part of a character that is not complete becomes one U+FFFD.
func UTF8(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var s strings.Builder
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n <= 1 {
			n = incomplete(b)
		}
		s.WriteRune(r)
		b = b[n:]
	}
	return s.String()
}

// incomplete tells how many bytes begin a character that is not complete. It is 1 for what begins none.
func incomplete(b []byte) int {
	first, need, low, high := b[0], 0, byte(0x80), byte(0xBF)
	switch {
	case 0xC2 <= first && first <= 0xDF:
		need = 1
	case first == 0xE0:
		need, low = 2, 0xA0
	case first == 0xED:
		need, high = 2, 0x9F
	case 0xE1 <= first && first <= 0xEF:
		need = 2
	case first == 0xF0:
		need, low = 3, 0x90
	case 0xF1 <= first && first <= 0xF3:
		need = 3
	case first == 0xF4:
		need, high = 3, 0x8F
	}
	n := 1
	for ; n <= need && n < len(b) && low <= b[n] && b[n] <= high; n++ {
		low, high = 0x80, 0xBF
	}
	return n
}
