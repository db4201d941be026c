package gojaloop

import (
	"crypto/rand"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// byteNatives are what lib/encoding.js, lib/crypto.js and lib/clone.js build on.
func (rt *Runtime) byteNatives(o *goja.Object) {
	_ = o.Set("utf8Encode", func(call goja.FunctionCall) goja.Value {
		return rt.vm.ToValue(rt.vm.NewArrayBuffer([]byte(call.Argument(0).String()))) // lone surrogates become U+FFFD
	})
	_ = o.Set("encodingName", func(call goja.FunctionCall) goja.Value {
		return rt.vm.ToValue(encodingName(call.Argument(0).String()))
	})
	_ = o.Set("decode", func(call goja.FunctionCall) goja.Value {
		b, _ := call.Argument(1).Export().(goja.ArrayBuffer)
		text, used, bad := decodeText(call.Argument(0).String(), b.Bytes(), call.Argument(2).ToBoolean())
		result := rt.vm.NewObject()
		_ = result.Set("text", text)
		_ = result.Set("used", used)
		_ = result.Set("bad", bad)
		return result
	})
	_ = o.Set("random", func(call goja.FunctionCall) goja.Value {
		b := make([]byte, call.Argument(0).ToInteger())
		_, _ = rand.Read(b) // it never fails
		return rt.vm.ToValue(rt.vm.NewArrayBuffer(b))
	})
	_ = o.Set("detach", func(call goja.FunctionCall) goja.Value {
		if b, ok := call.Argument(0).Export().(goja.ArrayBuffer); ok {
			b.Detach()
		}
		return goja.Undefined()
	})
}

// encodingName gives the name of an encoding for one of its labels (Encoding 4.2), or nothing.
func encodingName(label string) string {
	e, err := htmlindex.Get(strings.ToLower(strings.Trim(label, "\t\n\f\r ")))
	if err != nil {
		return ""
	}
	name, err := htmlindex.Name(e)
	if err != nil || name == "replacement" {
		return ""
	}
	return strings.ToLower(name)
}

// decodeText decodes bytes. If more are to come, what may be the beginning of a character is left: used tells how
// much was not. bad tells that some was not valid, and became U+FFFD.
func decodeText(name string, src []byte, last bool) (text string, used int, bad bool) {
	e, err := htmlindex.Get(name)
	if err != nil {
		return "", 0, true
	}
	if name == "utf-8" {
		e = unicode.UTF8 // htmlindex's removes a byte order mark, which is for the caller to do
	}
	decoder := e.NewDecoder()
	dst := make([]byte, 4*len(src)+16)
	n, used, err := decoder.Transform(dst, src, last)
	if err != nil && !errors.Is(err, transform.ErrShortSrc) {
		return "", used, true
	}
	text = string(dst[:n])
	if name == "utf-8" {
		bad = !utf8.Valid(src[:used])
	} else {
		bad = strings.ContainsRune(text, utf8.RuneError)
	}
	return text, used, bad
}
