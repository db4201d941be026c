package encoding

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// nameOf gives the name of an encoding for one of its labels (Encoding 4.2), or nothing.
func nameOf(label string) string {
	label = strings.Trim(label, "\t\n\f\r ")
	e, err := htmlindex.Get(strings.ToLower(label))
	if err != nil || strings.TrimSpace(label) != label || strings.IndexFunc(label, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		return ""
	}
	name, err := htmlindex.Name(e)
	if err != nil || name == "replacement" {
		return ""
	}
	return strings.ToLower(name)
}

// A Decoded is the result of decoding some bytes. Before more bytes, a possible beginning of a character is left
// over, and used counts the decoded bytes. bad reports that some bytes were invalid and became U+FFFD. state is for
// the next bytes.
type Decoded struct {
	Text  string
	used  int
	bad   bool
	state int
}

// Decode decodes bytes of an encoding, from the state that earlier ones have left, or 0.
func Decode(name string, src []byte, last bool, state int) Decoded {
	if name == "iso-2022-jp" {
		text, used, bad, next := iso2022JP(src, last, state)
		return Decoded{string(text), used, bad, next}
	}
	if sequence := sequenceOf(name); sequence != nil {
		return decodeSequences(sequence, src, last)
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		return Decoded{bad: true}
	}
	switch name {
	case "utf-8":
		e = unicode.UTF8 // htmlindex's removes a byte order mark, which is for the caller to do
	case "iso-8859-8-i":
		e = charmap.ISO8859_8 // they differ in the direction of writing
	}
	if cm, ok := e.(*charmap.Charmap); ok {
		text, bad := decodeCharmap(cm, src)
		return Decoded{Text: text, used: len(src), bad: bad}
	}
	decoder := e.NewDecoder()
	dst := make([]byte, 4*len(src)+16)
	n, used, err := decoder.Transform(dst, src, last)
	if err != nil && !errors.Is(err, transform.ErrShortSrc) {
		return Decoded{used: used, bad: true}
	}
	bad := !utf8.Valid(src[:used])
	if name != "utf-8" {
		bad = bytes.ContainsRune(dst[:n], utf8.RuneError)
	}
	return Decoded{Text: string(dst[:n]), used: used, bad: bad}
}

// utf16Sequence is the shared UTF-16 decoder (Encoding 14.2).
func utf16Sequence(order binary.ByteOrder) sequence {
	return func(src []byte, last bool) ([2]rune, int) {
		if len(src) < 2 {
			return unfinished(src, last)
		}
		r := rune(order.Uint16(src))
		switch {
		case !utf16.IsSurrogate(r):
			return one(r), 2
		case r >= 0xdc00:
			return one(badRune), 2
		case len(src) < 4:
			return unfinished(src, last)
		}
		if r = utf16.DecodeRune(r, rune(order.Uint16(src[2:]))); r != utf8.RuneError {
			return one(r), 4
		}
		return one(badRune), 2
	}
}

func decodeSequences(sequence sequence, src []byte, last bool) Decoded {
	var b strings.Builder
	b.Grow(2 * len(src))
	var d Decoded
	for d.used < len(src) {
		runes, n := sequence(src[d.used:], last)
		if n == 0 {
			break
		}
		d.used += n
		b.WriteRune(runes[0]) // U+FFFD for invalid bytes
		if runes[1] != noRune {
			b.WriteRune(runes[1])
		}
		d.bad = d.bad || runes[0] == badRune
	}
	d.Text = b.String()
	return d
}

// decodeCharmap decodes an encoding of single bytes. In the standard's tables, bytes from 0x80 to 0x9F that a code page
// leaves open are control characters; in the library's they are not valid.
func decodeCharmap(cm *charmap.Charmap, src []byte) (text string, bad bool) {
	var b strings.Builder
	b.Grow(len(src))
	for _, c := range src {
		r := cm.DecodeByte(c)
		if r == utf8.RuneError {
			if c >= 0x80 && c <= 0x9f {
				r = rune(c)
			} else {
				bad = true
			}
		}
		b.WriteRune(r)
	}
	return b.String(), bad
}
