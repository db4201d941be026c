package gojavm

import (
	"reflect"

	"github.com/dop251/goja"
)

// guardedProxy returns a Proxy (ECMA-262 28.2) whose proxies cannot overflow Go's stack.
//
// The engine asks a proxy's handler for a trap at each operation. Without a trap the operation goes to the target. So
// the engine gets a handler of ours, which checks the depth of the stack and then looks in the script's. The engine
// still does the operations themselves, and the checks of the traps' results.
//
// A handler that always had traps, and did the engine's default work there, would make the engine check the results.
// A script could see that. Nested proxies would take time that doubles with each level.
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

// proxies is the common state of the guards of a runtime.
type proxies struct {
	vm      *VM
	depth   depthCheck
	found   trap
	runTrap goja.Value // the engine's trap: callTrap
}

// A trap is the trap that a guard has found and that the engine is about to call. Nothing runs in between.
type trap struct {
	handler *goja.Object
	fn      func(goja.FunctionCall) goja.Value
}

var trapType = reflect.TypeFor[func(goja.FunctionCall) goja.Value]()

// guardHandler replaces the handler, in the arguments for a new proxy, by a guard. The engine refuses a handler that
// is not an object.
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

// A proxyGuard is the handler that the engine knows, for one of a script. No script can reach it.
type proxyGuard struct {
	*proxies
	handler *goja.Object
}

// Get finds a trap. The engine would call the trap with the engine's own handler as this, but this must be the
// script's. So the engine gets a function of ours to call.
func (g *proxyGuard) Get(name string) goja.Value {
	g.depth.check()
	v := g.handler.Get(name)
	fn, ok := v.(*goja.Object)
	switch {
	case v == nil:
		return goja.Undefined()
	case !ok:
		return v // no trap, or a value that the engine refuses
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

// Keys returns the keys of the script's handler.
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
