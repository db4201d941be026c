package encoding

import (
	"encoding/binary"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/transform"
)

// The decoders of the Encoding Standard (10 to 13) for encodings with several bytes for a character. Package x/text
// has their tables, but it treats invalid bytes differently from the standard. The difference is how many of them
// become U+FFFD, and which are decoded again. So this file finds the end of each character, and x/text decodes it.

// A sequence decodes the first character of src, which is not empty: one rune, or two. n is its number of bytes, or 0
// if bytes are missing and src is not the last. An invalid character is badRune.
type sequence func(src []byte, last bool) (r [2]rune, n int)

func sequenceOf(name string) sequence {
	switch name {
	case "utf-16le":
		return utf16Sequence(binary.LittleEndian)
	case "utf-16be":
		return utf16Sequence(binary.BigEndian)
	case "gbk", "gb18030":
		t := newTable(simplifiedchinese.GB18030)
		return func(src []byte, last bool) ([2]rune, int) { return gb18030(t, src, last) }
	case "big5":
		return twoBytes(traditionalchinese.Big5, 0x81, 0xfe)
	case "euc-kr":
		return twoBytes(korean.EUCKR, 0x81, 0xfe)
	case "euc-jp":
		t := newTable(japanese.EUCJP)
		return func(src []byte, last bool) ([2]rune, int) { return eucJP(t, src, last) }
	case "shift_jis":
		t := newTable(japanese.ShiftJIS)
		return func(src []byte, last bool) ([2]rune, int) { return shiftJIS(t, src, last) }
	}
	return nil
}

// A table looks characters up.
type table struct {
	decoder transform.Transformer
	dst     [16]byte
}

func newTable(e encoding.Encoding) *table { return &table{decoder: e.NewDecoder()} }

// look returns the character of some bytes, or badRune.
func (t *table) look(src ...byte) [2]rune {
	t.decoder.Reset()
	n, used, err := t.decoder.Transform(t.dst[:], src, true)
	if err != nil || used != len(src) {
		return one(badRune)
	}
	r, size := utf8.DecodeRune(t.dst[:n])
	second, size2 := utf8.DecodeRune(t.dst[size:n])
	switch {
	case r == utf8.RuneError || size+size2 < n:
		return one(badRune)
	case size == n:
		return one(r)
	}
	return [2]rune{r, second}
}

const (
	noRune  = -1 // there is no second one
	badRune = -2
)

func one(r rune) [2]rune             { return [2]rune{r, noRune} }
func between(b, low, high byte) bool { return low <= b && b <= high }

// unfinished is the result for a character whose end is missing.
func unfinished(src []byte, last bool) ([2]rune, int) {
	if last {
		return one(badRune), len(src)
	}
	return one(badRune), 0
}

// pair ends a character of n bytes. If they are invalid, and the last byte is ASCII, that byte is decoded again.
func pair(r [2]rune, src []byte, n int) ([2]rune, int) {
	if r[0] == badRune && src[n-1] < utf8.RuneSelf {
		n--
	}
	return r, n
}

func twoBytes(e encoding.Encoding, low, high byte) sequence {
	t := newTable(e)
	return func(src []byte, last bool) ([2]rune, int) {
		switch {
		case src[0] < utf8.RuneSelf:
			return one(rune(src[0])), 1
		case !between(src[0], low, high):
			return one(badRune), 1
		case len(src) == 1:
			return unfinished(src, last)
		}
		return pair(t.look(src[:2]...), src, 2)
	}
}

// gb2022 are characters that GB 18030-2022 has and the table has not.
var gb2022 = map[[2]byte]rune{
	{0xa8, 0xbc}: 0x1e3f, {0xa6, 0xd9}: 0xfe10, {0xa6, 0xda}: 0xfe12, {0xa6, 0xdb}: 0xfe11, {0xa6, 0xdc}: 0xfe13, {0xa6, 0xdd}: 0xfe14,
	{0xa6, 0xde}: 0xfe15, {0xa6, 0xdf}: 0xfe16, {0xa6, 0xec}: 0xfe17, {0xa6, 0xed}: 0xfe18, {0xa6, 0xf3}: 0xfe19, {0xfe, 0x59}: 0x9fb4,
	{0xfe, 0x61}: 0x9fb5, {0xfe, 0x66}: 0x9fb6, {0xfe, 0x67}: 0x9fb7, {0xfe, 0x6d}: 0x9fb8, {0xfe, 0x7e}: 0x9fb9, {0xfe, 0x90}: 0x9fba,
	{0xfe, 0xa0}: 0x9fbb,
}

func gb18030(t *table, src []byte, last bool) ([2]rune, int) {
	b := src[0]
	switch {
	case b < utf8.RuneSelf:
		return one(rune(b)), 1
	case b == 0x80:
		return one('€'), 1
	case b == 0xff:
		return one(badRune), 1
	case len(src) == 1:
		return unfinished(src, last)
	case !between(src[1], '0', '9'):
		if r, ok := gb2022[[2]byte(src)]; ok {
			return one(r), 2
		}
		if !between(src[1], 0x40, 0x7e) && !between(src[1], 0x80, 0xfe) {
			return pair(one(badRune), src, 2)
		}
		return pair(t.look(src[:2]...), src, 2)
	case len(src) == 2:
		return unfinished(src, last)
	case !between(src[2], 0x81, 0xfe):
		return one(badRune), 1
	case len(src) == 3:
		return unfinished(src, last)
	case !between(src[3], '0', '9'):
		return one(badRune), 1
	}
	if [4]byte(src) == [4]byte{0x81, 0x35, 0xf4, 0x37} {
		return one(0xe7c7), 4
	}
	return t.look(src[:4]...), 4
}

func eucJP(t *table, src []byte, last bool) ([2]rune, int) {
	b := src[0]
	switch {
	case b < utf8.RuneSelf:
		return one(rune(b)), 1
	case b != 0x8e && b != 0x8f && !between(b, 0xa1, 0xfe):
		return one(badRune), 1
	case len(src) == 1:
		return unfinished(src, last)
	case b == 0x8e && !between(src[1], 0xa1, 0xdf), !between(src[1], 0xa1, 0xfe):
		return pair(one(badRune), src, 2)
	case b != 0x8f:
		return pair(t.look(src[:2]...), src, 2)
	case len(src) == 2:
		return unfinished(src, last)
	case !between(src[2], 0xa1, 0xfe):
		return pair(one(badRune), src, 3)
	}
	return t.look(src[:3]...), 3
}

func shiftJIS(t *table, src []byte, last bool) ([2]rune, int) {
	b := src[0]
	switch {
	case b <= 0x80:
		return one(rune(b)), 1
	case between(b, 0xa1, 0xdf):
		return one(0xff61 - 0xa1 + rune(b)), 1
	case b == 0xa0 || b > 0xfc:
		return one(badRune), 1
	case len(src) == 1:
		return unfinished(src, last)
	case !between(src[1], 0x40, 0x7e) && !between(src[1], 0x80, 0xfc):
		return pair(one(badRune), src, 2)
	case between(b, 0xf0, 0xf9): // for private use
		trail := rune(src[1]) - 0x40
		if src[1] > 0x7f {
			trail--
		}
		return one(0xe000 + (rune(b)-0xf0)*188 + trail), 2
	}
	return pair(t.look(src[:2]...), src, 2)
}

// The states of the ISO-2022-JP decoder that last from one character to the next (Encoding 12.2.1).
const (
	jpASCII = iota
	jpRoman
	jpKatakana
	jpLead
	jpStates
)

// escapes are the states that escape sequences begin.
var escapes = map[[2]byte]int{{'(', 'B'}: jpASCII, {'(', 'J'}: jpRoman, {'(', 'I'}: jpKatakana, {'$', '@'}: jpLead, {'$', 'B'}: jpLead}

// iso2022JP decodes src as far as it can, from a state to a state. The state also reports whether the last input was
// only an escape sequence: another one is an error then.
func iso2022JP(src []byte, last bool, state int) (text []byte, used int, bad bool, next int) {
	t := newTable(japanese.EUCJP)
	mode, idle := state%jpStates, state >= jpStates
	put := func(r rune) {
		bad = bad || r == badRune
		text = utf8.AppendRune(text, r) // U+FFFD for invalid bytes
	}
	for used < len(src) {
		rest := src[used:]
		b := rest[0]
		if b == 0x1b {
			if len(rest) < 3 && !last && (len(rest) < 2 || rest[1] == '(' || rest[1] == '$') {
				break
			}
			if len(rest) >= 3 {
				if to, ok := escapes[[2]byte(rest[1:3])]; ok {
					if idle {
						put(badRune)
					}
					mode, idle, used = to, true, used+3
					continue
				}
			}
			put(badRune)
			idle, used = false, used+1
			continue
		}
		n, r := 1, rune(badRune)
		switch {
		case mode == jpKatakana && between(b, 0x21, 0x5f):
			r = 0xff61 - 0x21 + rune(b)
		case mode == jpRoman && b == 0x5c:
			r = '¥'
		case mode == jpRoman && b == 0x7e:
			r = '‾'
		case mode <= jpRoman && b < utf8.RuneSelf && b != 0x0e && b != 0x0f:
			r = rune(b)
		case mode == jpLead && between(b, 0x21, 0x7e):
			if len(rest) == 1 {
				if !last {
					return text, used, bad, stateOf(mode, idle)
				}
				break
			}
			if rest[1] != 0x1b {
				n = 2
			}
			if between(rest[1], 0x21, 0x7e) {
				r = t.look(b|0x80, rest[1]|0x80)[0]
			}
		}
		put(r)
		idle, used = false, used+n
	}
	return text, used, bad, stateOf(mode, idle)
}

func stateOf(mode int, idle bool) int {
	if idle {
		return mode + jpStates
	}
	return mode
}
