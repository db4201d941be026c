package gojavm

import (
	"fmt"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
)

// Values are the operations of [engine.Engine] that need no loop.
type Values struct {
	VM      *goja.Runtime
	Natives *goja.Object // what Define defines on
	spare   *args
}

// Define is [engine.Engine.Define].
func (e *Values) Define(name string, value any) { Set(e.VM, e.Natives, name, e.make(value)) }

// Make is [engine.Engine.Make].
func (e *Values) Make(value any) engine.Value { return e.make(value) }

func (e *Values) make(value any) goja.Value {
	switch v := value.(type) {
	case nil:
		return goja.Undefined()
	case goja.Value:
		return v
	case string, bool, int, int64, float64:
		return e.VM.ToValue(v)
	case engine.Null:
		return goja.Null()
	case engine.Bytes:
		return e.VM.ToValue(e.VM.NewArrayBuffer([]byte(v)))
	case engine.Array:
		items := make([]any, len(v))
		for i := range v {
			items[i] = e.make(v[i])
		}
		return e.VM.NewArray(items...)
	case engine.Object:
		obj := e.VM.NewObject()
		for i := 0; i < len(v); i += 2 {
			Set(e.VM, obj, v[i].(string), e.make(v[i+1]))
		}
		return obj
	case engine.Held:
		return e.VM.ToValue(v.Value)
	case engine.Native:
		return e.function(v)
	case func(engine.Args) any:
		return e.function(v)
	}
	panic(fmt.Sprintf("gojavm: a native has given a %T", value))
}

func (e *Values) function(fn engine.Native) goja.Value {
	return e.VM.ToValue(func(call goja.FunctionCall) goja.Value {
		a := e.spare
		if a == nil {
			a = new(args)
		}
		e.spare = nil // a native that calls the script may be called again
		*a = args{e, call}
		v := e.make(fn(a))
		*a = args{}
		e.spare = a
		return v
	})
}

// Throw is [engine.Engine.Throw].
func (e *Values) Throw(class, message string) { panic(Error(e.VM, class, message)) }

// Raise is [engine.Engine.Raise].
func (e *Values) Raise(value engine.Value) { panic(value) }

// Error makes an Error of a class.
func Error(vm *goja.Runtime, class, message string) *goja.Object {
	obj, err := vm.New(vm.Get(class), vm.ToValue(message))
	if err != nil {
		return vm.NewTypeError("%s", message) // the script has replaced the class
	}
	return obj
}
