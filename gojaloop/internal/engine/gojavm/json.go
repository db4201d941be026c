package gojavm

import (
	"fmt"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/internal/nesting"
)

// maxJSONDepth is how deep JSON text may nest. The engine's parser recurses, and takes up to half a KB of Go's stack
// for each level. Other functions recurse again over its result.
const maxJSONDepth = 100_000

// guardJSON gives the engine's JSON a parse that cannot overflow Go's stack. Its stringify checks the time, the depth
// of the stack, and the length of the text.
func (h *hardening) guardJSON(object *goja.Object) {
	h.guardStringify(object)
	parse, ok := Get(object, "parse").Export().(func(goja.FunctionCall) goja.Value)
	if !ok {
		return
	}
	h.vm.Method(object, "parse", 2, func(call goja.FunctionCall) goja.Value {
		text := call.Argument(0).ToString()
		if s := text.String(); len(s) > maxJSONDepth {
			if depth := nesting.JSONDepth(s); depth > maxJSONDepth {
				panic(h.vm.Error("RangeError", fmt.Sprintf("JSON text is nested %d deep, the limit is %d", depth, maxJSONDepth)))
			}
		}
		call.Arguments = append([]goja.Value{text}, call.Arguments[min(1, len(call.Arguments)):]...)
		return parse(call)
	})
}

func (h *hardening) guardStringify(object *goja.Object) {
	stringify, ok := native(object.Get("stringify"))
	if !ok {
		return
	}
	h.vm.Method(object, "stringify", 3, func(call goja.FunctionCall) goja.Value {
		w := &jsonWatch{hardening: h}
		if replacer, ok := call.Argument(1).(*goja.Object); ok {
			if fn, ok := goja.AssertFunction(replacer); ok {
				w.replacer = fn
			} else if h.isArrayOrProxy(replacer) {
				w.readNames(replacer)
			}
		}
		if s := call.Argument(2); !goja.IsUndefined(s) {
			w.indents = 10 // the most
		}
		return stringify(goja.FunctionCall{This: call.This, Arguments: []goja.Value{call.Argument(0), h.vm.ToValue(w.replace), call.Argument(2)}})
	})
}

// A jsonWatch is the replacer of one call of stringify. The engine calls it for each value, and it also does the work
// of the script's replacer.
type jsonWatch struct {
	*hardening
	replacer goja.Callable
	names    []string // the script's list of names, or nil
	indents  int64    // characters for each level, at most
	length   int64    // of the text, at least
	path     []jsonLevel
}

// A jsonLevel is an object whose properties are written: the object itself, and a view of it limited to the listed
// properties.
type jsonLevel struct{ object, shown *goja.Object }

func (w *jsonWatch) readNames(list *goja.Object) {
	n, _ := w.vm.lengthOf(list)
	w.vm.allow(elements, n)
	w.names = []string{}
	seen := make(map[string]bool)
	for i := range int(n) {
		w.depth.check()
		v := w.at(list, i)
		name, ok := v.(goja.String)
		if obj, boxed := v.(*goja.Object); boxed && (obj.ClassName() == "String" || obj.ClassName() == "Number") || v != nil && goja.IsNumber(v) {
			name, ok = w.vm.text(v), true
		}
		if ok && !seen[name.String()] {
			seen[name.String()] = true
			w.names = append(w.names, name.String())
		}
	}
}

func (w *jsonWatch) replace(call goja.FunctionCall) goja.Value {
	w.depth.check()
	v := call.Argument(1)
	if w.replacer != nil {
		var err error
		if v, err = w.replacer(call.This, call.Argument(0), v); err != nil {
			panic(err)
		}
	}
	for holder, _ := call.This.(*goja.Object); len(w.path) > 0 && w.path[len(w.path)-1].shown != holder; {
		w.path = w.path[:len(w.path)-1]
	}
	w.length += 1 + int64(len(w.path))*w.indents/2 // half of the levels may belong to empty objects
	for _, part := range []goja.Value{call.Argument(0), v} {
		if s, ok := part.(goja.String); ok {
			w.length += int64(s.Length())
		}
	}
	w.vm.allow(stringLength, w.length)
	obj, ok := v.(*goja.Object)
	if ok && w.isArrayOrProxy(obj) {
		w.vm.allow(elements, obj.Get("length").ToInteger()) // of a proxy it may change: then the text gets too long
	}
	if !ok || w.names == nil && w.indents == 0 {
		return v
	}
	shown := w.listed(obj)
	w.path = append(w.path, jsonLevel{obj, shown})
	return shown
}

// listed gives an object with the properties of the list, in its order.
func (w *jsonWatch) listed(obj *goja.Object) *goja.Object {
	if w.names == nil || obj.ClassName() != "Object" && obj.ClassName() != "Error" || w.isArrayOrProxy(obj) {
		return obj
	}
	for _, outer := range w.path {
		if outer.object == obj {
			panic(w.vm.NewTypeError("Converting circular structure to JSON"))
		}
	}
	shown := w.vm.NewObject()
	for _, name := range w.names {
		w.depth.check()
		if v := obj.Get(name); v != nil {
			w.vm.SetOwn(shown, name, v)
		}
	}
	return shown
}
