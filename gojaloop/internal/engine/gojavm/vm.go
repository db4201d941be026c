package gojavm

import (
	"fmt"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
	"github.com/eventloop-go/eventloop/js"
)

// A VM is a runtime of goja with the library's environment. It must be used only on the loop, unless a method says
// otherwise. It has the operations of [engine.Engine] that need no loop.
type VM struct {
	*goja.Runtime
	host        Host
	env         *js.Env
	webDelays   bool // delays follow HTML
	library     *Library
	nativesObj  *goja.Object
	exports     map[string]*goja.Object // what scripts of the library offer
	spare       *args
	primordials primordials
	completed   [len(intrinsics)]bool
	originals   []goja.Value // of standard; nil where none is kept yet
	microtask   *microtasks  // nil until somebody asks for them
	jobs        jobs
	entering    bool // the entry is about to run
	callback    callback
	async       *asyncContext // nil until a script asks for it
	globals     globals
	interrupts  interrupts
	goErrors    goErrors
	timers      timerClasses
	storages    storages
	collector   collector
	inspector   plainInspector
	cloner      plainCloner
}

// A Host is what a VM runs for.
type Host interface {
	// ConsoleNatives and Natives define the operations of native for the library's scripts. Each is called once:
	// ConsoleNatives when the first script runs, and Natives when a script needs more than formatting.
	ConsoleNatives()
	Natives()
	// Entered is called inside a frame of the engine: see [VM.Enter].
	Entered()
	// RunCallback calls a function of the script as a callback of the event loop. It reports whether the function returned.
	RunCallback(fn goja.Callable, this goja.Value, args ...goja.Value) bool
	// NextTick queues a call for when the callback in progress has returned.
	NextTick(Tick)
	// Uncaught is called with the exception of a microtask.
	Uncaught(value goja.Value)
	// Offers reports whether the runtime has a global, by its place in the table, and MakeGlobal makes it.
	Offers(global int) bool
	MakeGlobal(global int) goja.Value
	// Unreferenced is called when unref is called on a timer.
	Unreferenced()
	// Warn is process.emitWarning.
	Warn(name, message string)
	// GoErrors reports whether scripts may see errors of Go's.
	GoErrors() bool
}

// Init makes the runtime. The VM must not move after that.
func (vm *VM) Init(host Host, library *Library, env *js.Env, webDelays bool) {
	vm.Runtime, vm.host, vm.library = goja.New(), host, library
	vm.env, vm.webDelays = env, webDelays
	vm.exports = make(map[string]*goja.Object)
	vm.originals = make([]goja.Value, len(standard))
	vm.jobs = jobsOf(vm.Runtime)
	vm.interrupts.vm = vm.Runtime
	vm.setUpEntry()
}

// natives is the object native of the library's scripts. At first it has only the operations for console, which
// suffice for many scripts.
func (vm *VM) natives() *goja.Object {
	if vm.nativesObj == nil {
		vm.nativesObj = vm.NewObject()
		rest := vm.NewDynamicObject(lazyNatives{vm})
		_ = rest.SetPrototype(nil)           // a new object accepts any
		_ = vm.nativesObj.SetPrototype(rest) // the same
		vm.host.ConsoleNatives()
	}
	return vm.nativesObj
}

// lazyNatives is the prototype of natives until a script of the library asks for one that is not there. No script of the
// embedder gets hold of it.
type lazyNatives struct{ vm *VM }

func (l lazyNatives) Get(name string) goja.Value {
	l.vm.completeNatives()
	return l.vm.nativesObj.Get(name)
}

func (l lazyNatives) Has(name string) bool        { return l.Get(name) != nil }
func (l lazyNatives) Set(string, goja.Value) bool { return false }
func (l lazyNatives) Delete(string) bool          { return false }
func (l lazyNatives) Keys() []string              { return nil }

func (vm *VM) completeNatives() {
	o := vm.nativesObj
	_ = o.SetPrototype(nil) // it accepts any
	vm.propertyNatives(o)
	vm.inspectNatives(o)
	vm.cloneNatives(o)
	vm.timerNatives(o)
	vm.errorNatives(o)
	vm.asyncNatives(o)
	vm.SetOwn(o, "nextTick", vm.Function("nextTick", 1, vm.nextTick))
	vm.host.Natives()
}

// NativeNames are the names that only the library's scripts have.
func (vm *VM) NativeNames() []string {
	vm.natives()
	vm.completeNatives()
	return vm.nativesObj.GetOwnPropertyNames()
}

// Define is [engine.Engine.Define].
func (vm *VM) Define(name string, value any) { vm.SetOwn(vm.natives(), name, vm.make(value)) }

// Make is [engine.Engine.Make].
func (vm *VM) Make(value any) engine.Value { return vm.make(value) }

func (vm *VM) make(value any) goja.Value {
	switch v := value.(type) {
	case nil:
		return goja.Undefined()
	case goja.Value:
		return v
	case string, bool, int, int64, float64:
		return vm.ToValue(v)
	case engine.Null:
		return goja.Null()
	case engine.Bytes:
		return vm.ToValue(vm.NewArrayBuffer([]byte(v)))
	case engine.UTF16:
		return goja.StringFromUTF16(v)
	case engine.Array:
		items := make([]any, len(v))
		for i := range v {
			items[i] = vm.make(v[i])
		}
		return vm.NewArray(items...)
	case engine.Object:
		obj := vm.NewObject()
		for i := 0; i < len(v); i += 2 {
			vm.SetOwn(obj, v[i].(string), vm.make(v[i+1]))
		}
		return obj
	case engine.Namespace:
		obj := vm.CreateObject(vm.NewObject())
		for _, f := range v.Functions {
			vm.SetOwn(obj, f.Name, vm.Function(f.Name, f.Length, vm.native(f.Native)))
		}
		_ = obj.DefineDataPropertySymbol(goja.SymToStringTag, vm.ToValue(v.Name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
		return obj
	case engine.Held:
		return vm.ToValue(v.Value)
	case engine.Native:
		return vm.ToValue(vm.native(v))
	case func(engine.Args) any:
		return vm.ToValue(vm.native(v))
	case engine.Function:
		return vm.Function(v.Name, v.Length, vm.native(v.Native))
	}
	panic(fmt.Sprintf("gojavm: a native has given a %T", value))
}

func (vm *VM) native(fn engine.Native) func(goja.FunctionCall) goja.Value {
	return func(call goja.FunctionCall) goja.Value {
		a := vm.spare
		if a == nil {
			a = new(args)
		}
		vm.spare = nil // a native that calls the script may be called again
		*a = args{vm, call}
		v := vm.make(fn(a))
		*a = args{}
		vm.spare = a
		return v
	}
}

// Call is [engine.Engine.Call].
func (vm *VM) Call(function, this engine.Value, args ...any) (engine.Value, error) {
	fn, _ := goja.AssertFunction(function.(goja.Value))
	values := make([]goja.Value, len(args))
	for i, arg := range args {
		values[i] = vm.make(arg)
	}
	return fn(vm.make(this), values...)
}

// Library is [engine.Engine.Library].
func (vm *VM) Library(script, export string) engine.Value { return vm.Load(script).Get(export) }

// Throw is [engine.Engine.Throw].
func (vm *VM) Throw(class, message string) { panic(vm.Error(class, message)) }

// Raise is [engine.Engine.Raise].
func (vm *VM) Raise(value engine.Value) { panic(value) }

// Failure is [engine.Engine.Failure].
func (vm *VM) Failure(err error) engine.Value { return vm.NewError(err) }

// Coded is [engine.Engine.Coded].
func (vm *VM) Coded(class, code, message string) engine.Value {
	return vm.CodedError(class, code, message)
}
