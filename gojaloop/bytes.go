package gojaloop

import (
	"bytes"
	"crypto"
	"crypto/rand"
	_ "crypto/sha256" // of digest
	_ "crypto/sha512"
	"encoding/base64"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dop251/goja"
)

// byteNatives are what lib/encoding.js, lib/crypto.js and lib/clone.js build on.
func (rt *Runtime) byteNatives(o *goja.Object) {
	rt.set(o, "utf8Encode", func(call goja.FunctionCall) goja.Value {
		return rt.vm.ToValue(rt.vm.NewArrayBuffer([]byte(call.Argument(0).String()))) // lone surrogates become U+FFFD
	})
	rt.set(o, "encodingName", func(call goja.FunctionCall) goja.Value {
		return rt.vm.ToValue(encodingName(call.Argument(0).String()))
	})
	rt.set(o, "decode", func(call goja.FunctionCall) goja.Value {
		d := decodeText(call.Argument(0).String(), bufferBytes(call.Argument(1)), call.Argument(2).ToBoolean(), int(call.Argument(3).ToInteger()))
		result := rt.vm.NewObject()
		rt.set(result, "text", d.text)
		rt.set(result, "used", d.used)
		rt.set(result, "bad", d.bad)
		rt.set(result, "state", d.state)
		return result
	})
	rt.set(o, "digest", func(call goja.FunctionCall) goja.Value {
		hash := map[string]crypto.Hash{"sha256": crypto.SHA256, "sha384": crypto.SHA384, "sha512": crypto.SHA512}[call.Argument(0).String()].New()
		_, _ = hash.Write(bufferBytes(call.Argument(1))) // it never fails
		return rt.vm.ToValue(base64.RawStdEncoding.EncodeToString(hash.Sum(nil)))
	})
	rt.set(o, "random", func(call goja.FunctionCall) goja.Value {
		b := make([]byte, call.Argument(0).ToInteger())
		_, _ = rand.Read(b) // it never fails
		return rt.vm.ToValue(rt.vm.NewArrayBuffer(b))
	})
	// copyBuffer copies an ArrayBuffer, unless it is detached; moveBuffer copies what it holds now, and detaches it,
	// unless it is already.
	rt.set(o, "copyBuffer", func(call goja.FunctionCall) goja.Value {
		b, ok := hostValue[goja.ArrayBuffer](call.Argument(0))
		if !ok || b.Detached() {
			return goja.Undefined()
		}
		return rt.vm.ToValue(rt.vm.NewArrayBuffer(bytes.Clone(b.Bytes())))
	})
	rt.set(o, "moveBuffer", func(call goja.FunctionCall) goja.Value {
		from, ok := hostValue[goja.ArrayBuffer](call.Argument(0))
		to, ok2 := hostValue[goja.ArrayBuffer](call.Argument(1))
		if !ok || !ok2 {
			return rt.vm.ToValue(false)
		}
		copy(to.Bytes(), from.Bytes())
		return rt.vm.ToValue(from.Detach())
	})
	// transfer makes a new ArrayBuffer of what an ArrayBuffer holds, and detaches that (ECMA-262, ArrayBuffer.prototype.transfer).
	rt.set(o, "transfer", func(call goja.FunctionCall) goja.Value {
		from, ok := hostValue[goja.ArrayBuffer](call.Argument(0))
		if !ok || from.Detached() {
			panic(rt.vm.NewTypeError("Cannot transfer a detached ArrayBuffer"))
		}
		to := rt.vm.NewArrayBuffer(from.Bytes())
		from.Detach()
		return rt.vm.ToValue(to)
	})
	rt.set(o, "isDetached", func(call goja.FunctionCall) goja.Value {
		b, ok := hostValue[goja.ArrayBuffer](call.Argument(0))
		return rt.vm.ToValue(ok && b.Detached())
	})
	// utf8Prefix encodes as many characters as fit into some bytes, and tells how many UTF-16 code units these are.
	rt.set(o, "utf8Prefix", func(call goja.FunctionCall) goja.Value {
		s, room := call.Argument(0).String(), int(call.Argument(1).ToInteger())
		written, read := 0, 0
		for _, r := range s {
			n := utf8.RuneLen(r)
			if written+n > room {
				break
			}
			written += n
			read += utf16.RuneLen(r)
		}
		result := rt.vm.NewObject()
		rt.set(result, "bytes", rt.vm.NewArrayBuffer([]byte(s[:written])))
		rt.set(result, "read", read)
		return result
	})
	rt.set(o, "base64Encode", func(call goja.FunctionCall) goja.Value {
		b, ok := latin1(call.Argument(0).String())
		if !ok {
			return goja.Undefined()
		}
		return rt.vm.ToValue(base64.StdEncoding.EncodeToString(b))
	})
	rt.set(o, "base64Bytes", func(call goja.FunctionCall) goja.Value {
		decoded, ok := forgivingBase64(string(bufferBytes(call.Argument(0))))
		if !ok {
			return goja.Undefined()
		}
		return rt.vm.ToValue(rt.vm.NewArrayBuffer(decoded))
	})
	rt.set(o, "base64Decode", func(call goja.FunctionCall) goja.Value {
		b, ok := forgivingBase64(call.Argument(0).String())
		if !ok {
			return goja.Undefined()
		}
		var s strings.Builder
		for _, c := range b {
			s.WriteRune(rune(c))
		}
		return rt.vm.ToValue(s.String())
	})
}

// bufferBytes is what an ArrayBuffer holds: nothing if the value is none, or is detached.
func bufferBytes(v goja.Value) []byte {
	b, ok := hostValue[goja.ArrayBuffer](v)
	if !ok {
		return nil
	}
	return b.Bytes()
}

// latin1 makes a byte of each character, if all are below 256.
func latin1(s string) ([]byte, bool) {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xff {
			return nil, false
		}
		b = append(b, byte(r))
	}
	return b, true
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
