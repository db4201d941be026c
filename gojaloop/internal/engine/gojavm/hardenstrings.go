package gojavm

import (
	"math/big"
	"strings"

	"github.com/dop251/goja"
)

// guardStrings limits the strings, and the lists of strings, that one call makes.
func (h *hardening) guardStrings(prototype, constructor *goja.Object) {
	h.guard(prototype, "repeat", 1, func(call *goja.FunctionCall) {
		s, n := h.stringAndNumber(call)
		if l := int64(len(s)); n > 0 && l > 0 {
			h.vm.allow(stringLength, min(n, 1<<53/l)*l)
		}
	})
	for _, name := range []string{"padStart", "padEnd"} {
		h.guard(prototype, name, 1, func(call *goja.FunctionCall) {
			_, n := h.stringAndNumber(call)
			h.vm.allow(stringLength, n)
		})
	}
	h.guard(prototype, "split", 2, h.limitParts)
	h.guard(prototype, "replaceAll", 2, h.limitReplaced)
	h.guard(constructor, "raw", 1, func(call *goja.FunctionCall) {
		cooked, ok := call.Argument(0).(*goja.Object)
		if !ok {
			return
		}
		if raw, ok := cooked.Get("raw").(*goja.Object); ok {
			n, stable := h.vm.lengthOf(raw)
			h.vm.allow(elements, n)
			given := h.vm.NewObject()
			h.vm.SetOwn(given, "raw", stable)
			call.Arguments = append([]goja.Value{given}, Rest(call.Arguments, 1)...)
		}
	})
}

// stringAndNumber converts this and the first argument, once, and puts the results in their places.
func (h *hardening) stringAndNumber(call *goja.FunctionCall) (string, int64) {
	if goja.IsUndefined(call.This) || goja.IsNull(call.This) {
		return "", 0 // the engine throws
	}
	s := call.This.ToString()
	n := call.Argument(0).ToNumber()
	call.This = s
	call.Arguments = append([]goja.Value{n}, Rest(call.Arguments, 1)...)
	return s.String(), n.ToInteger()
}

// limitParts limits the result of split for a long string. For an object as separator, the object's method does the
// work.
func (h *hardening) limitParts(call *goja.FunctionCall) {
	s, ok := call.This.(goja.String)
	if _, object := call.Argument(0).(*goja.Object); !ok || object || int64(s.Length()) < elements.limit || goja.IsUndefined(call.Argument(0)) {
		return
	}
	separator := call.Argument(0).String()
	h.vm.allow(elements, int64(strings.Count(s.String(), separator)))
}

// limitReplaced limits the string that replaceAll makes where pattern and replacement are strings.
func (h *hardening) limitReplaced(call *goja.FunctionCall) {
	s, ok := call.This.(goja.String)
	pattern, ok2 := call.Argument(0).(goja.String)
	by, ok3 := call.Argument(1).(goja.String)
	if !ok || !ok2 || !ok3 || int64(s.Length())*int64(by.Length()) < stringLength.limit {
		return
	}
	text, replacement := s.String(), by.String()
	each := int64(len(replacement)) + int64(strings.Count(replacement, "$`")+strings.Count(replacement, "$'"))*int64(len(text))
	h.vm.allow(stringLength, int64(strings.Count(text, pattern.String()))*each)
}

// guardBigInt limits the results of asIntN and asUintN. (Operators have no guard.)
func (h *hardening) guardBigInt(constructor *goja.Object) {
	for name, unsigned := range map[string]bool{"asIntN": false, "asUintN": true} {
		original, ok := native(constructor.Get(name))
		if !ok {
			continue
		}
		h.vm.Method(constructor, name, 2, func(call goja.FunctionCall) goja.Value {
			bits := call.Argument(0).ToNumber()
			n := bits.ToInteger()
			value, ok := call.Argument(1).Export().(*big.Int)
			if !ok || n <= bigIntBits.limit || n >= 1<<53 {
				return original(goja.FunctionCall{This: call.This, Arguments: append([]goja.Value{bits}, Rest(call.Arguments, 1)...)})
			}
			if unsigned && value.Sign() < 0 {
				h.vm.allow(bigIntBits, n)
			}
			return call.Argument(1) // which has fewer bits
		})
	}
}
