package gojavm

import (
	"fmt"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/internal/nesting"
)

// maxJSONDepth is how deep JSON text may nest. The engine's parser recurses, and takes up to half a KB of Go's stack for
// each level; and what it makes is walked by functions that recurse again.
const maxJSONDepth = 100_000

// guardJSON gives the engine's JSON a parse that cannot overflow Go's stack.
func (h *hardening) guardJSON(object *goja.Object) {
	parse, ok := Get(object, "parse").Export().(func(goja.FunctionCall) goja.Value)
	if !ok {
		return
	}
	h.vm.Method(object, "parse", 2, func(call goja.FunctionCall) goja.Value {
		text := call.Argument(0).ToString()
		if s := text.String(); len(s) > maxJSONDepth {
			if depth := nesting.JSONDepth(s); depth > maxJSONDepth {
				message := fmt.Sprintf("JSON text is nested %d deep, the limit is %d", depth, maxJSONDepth)
				h.throwRange(message)
			}
		}
		call.Arguments = append([]goja.Value{text}, call.Arguments[min(1, len(call.Arguments)):]...)
		return parse(call)
	})
}
