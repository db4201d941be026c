package gojaloop

import (
	"fmt"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/internal/nesting"
)

// maxJSONDepth is how deep JSON text may nest. The engine's parser recurses, and takes up to half a KB of Go's stack for
// each level; and what it makes is walked by functions that recurse again.
const maxJSONDepth = 100_000

// guardedJSON returns the global JSON, whose parse cannot overflow Go's stack. To read it from the global object takes
// some microseconds, since the engine makes it when it is first read.
func (rt *Runtime) guardedJSON() goja.Value {
	object := rt.vm.GlobalObject().Get("JSON").(*goja.Object)
	parse, ok := object.Get("parse").Export().(func(goja.FunctionCall) goja.Value)
	if !ok {
		return object
	}
	rangeError := rt.vm.GlobalObject().Get("RangeError")
	rt.method(object, "parse", 2, func(call goja.FunctionCall) goja.Value {
		text := call.Argument(0).ToString()
		if s := text.String(); len(s) > maxJSONDepth {
			if depth := nesting.JSONDepth(s); depth > maxJSONDepth {
				err, failed := rt.vm.New(rangeError, rt.vm.ToValue(fmt.Sprintf(
					"JSON text is nested %d deep, the limit is %d", depth, maxJSONDepth)))
				if failed != nil {
					panic(failed)
				}
				panic(err)
			}
		}
		call.Arguments = append([]goja.Value{text}, call.Arguments[min(1, len(call.Arguments)):]...)
		return parse(call)
	})
	return object
}
