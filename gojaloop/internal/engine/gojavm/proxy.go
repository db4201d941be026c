package gojavm

import (
	"reflect"

	"github.com/dop251/goja"
)

// guardedProxy returns a Proxy (ECMA-262 28.2) whose proxies cannot overflow Go's stack.
//
// The engine asks a proxy's handler for a trap at each operation, also where there is none and the operation goes to the
// target. So the engine gets a handler of ours, which checks how deep the stack is and then looks in the script's. The
// operations themselves, and the checks of what traps return, stay the engine's. (A handler that always had traps, and did
// there what the engine does without, would make the engine check the results: a script could see that, and a proxy of
// a proxy of a proxy would take time that doubles with each.)
//
// It is a proxy of the engine's own Proxy, and so looks like it.
func (h *hardening) guardedProxy(original *goja.Object) goja.Value {
	p := &proxies{vm: h.vm, depth: depthCheck{ending: h.ending}}
	p.runTrap = h.vm.ToValue(p.callTrap)
	revocable, _ := goja.AssertFunction(original.Get("revocable"))
	h.vm.Method(original, "revocable", 2, func(call goja.FunctionCall) goja.Value {
		v, err := revocable(call.This, p.guardHandler(call.Arguments)...)
		if err != nil {
			panic(err)
		}
		return v
	})
	return h.vm.ToValue(h.vm.NewProxy(original, &goja.ProxyTrapConfig{
		Construct: func(original *goja.Object, args []goja.Value, newTarget *goja.Object) *goja.Object {
			construct, _ := goja.AssertConstructor(original)
			proxy, err := construct(newTarget, p.guardHandler(args)...)
			if err != nil {
				panic(err)
			}
			return proxy
		},
	}))
}

// proxies is what the guards of a runtime share.
type proxies struct {
	vm      *VM
	depth   depthCheck
	found   trap
	runTrap goja.Value // what the engine calls as a trap: callTrap
}

// A trap is what a guard has found and the engine is about to call. Nothing runs in between.
type trap struct {
	handler *goja.Object
	fn      func(goja.FunctionCall) goja.Value
}

var trapType = reflect.TypeFor[func(goja.FunctionCall) goja.Value]()

// guardHandler puts a guard in the place of the handler, in the arguments for a new proxy. What is no object is left for
// the engine to refuse.
func (p *proxies) guardHandler(args []goja.Value) []goja.Value {
	if len(args) < 2 {
		return args
	}
	handler, ok := args[1].(*goja.Object)
	if !ok {
		return args
	}
	guard := p.vm.NewDynamicObject(&proxyGuard{p, handler})
	_ = guard.SetPrototype(nil) // a dynamic object accepts any
	return []goja.Value{args[0], guard}
}

// A proxyGuard is the handler that the engine knows, for one of a script. No script gets hold of it.
type proxyGuard struct {
	*proxies
	handler *goja.Object
}

// Get finds a trap. The engine would call it with the handler that it knows for this, and this must be the script's: so
// it gets a function of ours to call.
func (g *proxyGuard) Get(name string) goja.Value {
	g.depth.check()
	v := g.handler.Get(name)
	fn, ok := v.(*goja.Object)
	switch {
	case v == nil:
		return goja.Undefined()
	case !ok:
		return v // no trap, or what the engine refuses
	case fn.ExportType() == trapType:
		g.found = trap{g.handler, fn.Export().(func(goja.FunctionCall) goja.Value)}
	default:
		callable, ok := goja.AssertFunction(fn) // a class, or a proxy
		if !ok {
			return v
		}
		g.found = trap{g.handler, func(call goja.FunctionCall) goja.Value {
			v, err := callable(call.This, call.Arguments...)
			if err != nil {
				panic(err)
			}
			return v
		}}
	}
	return g.runTrap
}

func (p *proxies) callTrap(call goja.FunctionCall) goja.Value {
	found := p.found
	p.found = trap{}
	if found.fn == nil {
		return goja.Undefined() // Go code has got it, of the handler that a goja.Proxy gives
	}
	call.This = found.handler
	return found.fn(call)
}

// Set and Delete refuse: only Go code could come here, by the handler that a [goja.Proxy] gives.
func (g *proxyGuard) Set(string, goja.Value) bool { return false }

// Delete refuses, as Set does.
func (g *proxyGuard) Delete(string) bool { return false }

// Has reports whether the script's handler has a property.
func (g *proxyGuard) Has(name string) bool { return g.handler.Get(name) != nil }

// Keys are those of the script's handler.
func (g *proxyGuard) Keys() []string { return g.handler.Keys() }

// ScriptHandler returns the handler that the script has given; nil for a proxy that it has revoked.
func ScriptHandler(p goja.Proxy) goja.Value {
	handler := p.Handler()
	if handler == nil {
		return goja.Null()
	}
	if guard, ok := HostValue[*proxyGuard](handler); ok {
		return guard.handler
	}
	return handler
}
