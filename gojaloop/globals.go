package gojaloop

import (
	"github.com/dop251/goja"
	_ "github.com/dop251/goja_nodejs/buffer" // for require
)

// A Group names globals that belong together, for [Without].
type Group string

// The groups of globals. Those that reach the network or files are not among them: they are there only if the embedder
// says so, with [WithFetch] and [WithModules].
const (
	Timers      Group = "timers"      // setTimeout, setInterval, setImmediate, their clear functions (Node, HTML 8.7)
	Microtasks  Group = "microtasks"  // queueMicrotask (HTML 8.8)
	Process     Group = "process"     // process (Node)
	Console     Group = "console"     // console (Console Standard, Node)
	Events      Group = "events"      // Event, EventTarget, CustomEvent, AbortController, AbortSignal (DOM)
	Clone       Group = "clone"       // structuredClone, DOMException (HTML 2.7, Web IDL)
	Performance Group = "performance" // performance (High Resolution Time, User Timing)
	Encoding    Group = "encoding"    // TextEncoder, TextDecoder, atob, btoa (Encoding, HTML 8.3)
	Crypto      Group = "crypto"      // crypto.randomUUID and crypto.getRandomValues (Web Cryptography)
	URL         Group = "url"         // URL, URLSearchParams (URL)
)

// Without leaves groups of globals out.
func Without(groups ...Group) Option {
	return func(o *options) {
		if o.left == nil {
			o.left = make(map[Group]bool)
		}
		for _, g := range groups {
			o.left[g] = true
		}
	}
}

// setUpGlobals declares the globals. What takes time to make is made when the script first asks for it. They are declared
// in Node's order, which Object.keys shows.
func (rt *Runtime) setUpGlobals() {
	has := func(g Group) bool { return !rt.opts.left[g] }
	global := rt.vm.GlobalObject()
	rt.lazies = make(map[string]lazyGlobal, 48)
	lazy := rt.vm.NewDynamicObject(lazyGlobals{rt})
	_ = lazy.SetPrototype(global.Prototype())
	_ = global.SetPrototype(lazy) // the global object is extensible
	rt.setUpLanguage()
	rt.lazy("global", goja.FLAG_TRUE, func() goja.Value { return global })
	if has(Timers) {
		rt.setUpTimers()
	}
	if has(Microtasks) {
		rt.global("queueMicrotask", 1, rt.queueMicrotask)
	}
	if has(Clone) {
		rt.lazyFunctions("clone", "structuredClone")
		rt.lazyFrom("exception", "DOMException")
	}
	if has(Encoding) {
		rt.lazyFunctions("base64", "atob", "btoa")
		rt.lazyFrom("encoding", "TextEncoder", "TextDecoder")
	}
	if has(Performance) {
		rt.lazyFunctions("performance", "performance")
		rt.lazyFrom("performance", "Performance", "PerformanceEntry", "PerformanceMark", "PerformanceMeasure")
	}
	if rt.opts.client != nil {
		rt.lazyFunctions("fetch", "fetch")
		rt.lazyFrom("headers", "Headers")
		rt.lazyFrom("request", "Request")
		rt.lazyFrom("response", "Response")
		rt.lazyFrom("stream", "ReadableStream", "ReadableStreamDefaultReader", "ReadableStreamDefaultController")
		rt.lazyFrom("blob", "Blob", "File", "FormData")
	}
	if has(Crypto) {
		rt.lazyFunctions("crypto", "crypto")
		rt.lazyFrom("crypto", "Crypto")
	}
	if has(Process) {
		rt.lazy("process", goja.FLAG_FALSE, rt.processObject)
	}
	if has(Console) {
		rt.lazyFrom("console", "console")
	}
	if has(Events) {
		rt.lazyFrom("event", "Event", "CustomEvent")
		rt.lazyFrom("events", "EventTarget")
		rt.lazyFrom("abort", "AbortController", "AbortSignal")
	}
	if has(URL) {
		rt.lazyFrom("url", "URL")
		rt.lazyFrom("urlsearchparams", "URLSearchParams")
	}
	if rt.opts.modules {
		rt.setUpModules()
	}
	// Who looks at the global object itself gets hold of it by this name. See lazyGlobals.
	_ = global.Delete("globalThis")
}

// global declares a function: enumerable, as Web IDL and Node have it.
func (rt *Runtime) global(name string, length int, fn func(goja.FunctionCall) goja.Value) {
	rt.lazy(name, goja.FLAG_TRUE, func() goja.Value { return rt.function(name, length, fn) })
}

// method defines a function on an object, not enumerable, as methods of classes are.
func (rt *Runtime) method(obj *goja.Object, name string, length int, fn func(goja.FunctionCall) goja.Value) {
	_ = obj.DefineDataProperty(name, rt.function(name, length, fn), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

func (rt *Runtime) function(name string, length int, fn func(goja.FunctionCall) goja.Value) goja.Value {
	f := rt.vm.ToValue(fn).(*goja.Object)
	_ = f.DefineDataProperty("name", rt.vm.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	_ = f.DefineDataProperty("length", rt.vm.ToValue(length), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return f
}

// lazy declares a global that is made at the first look.
func (rt *Runtime) lazy(name string, enumerable goja.Flag, make func() goja.Value) {
	if _, again := rt.lazies[name]; !again {
		rt.lazyNames = append(rt.lazyNames, name)
	}
	rt.lazies[name] = lazyGlobal{make, enumerable}
}

type lazyGlobal struct {
	make       func() goja.Value
	enumerable goja.Flag
}

// lazyGlobals is the prototype of the global object: it makes globals when they are not there yet. To define all when
// the runtime is made, even as accessors, would take most of the time that a runtime takes to start.
//
// That a global is not an own property yet can be seen only by who looks at the global object as an object. A script
// gets hold of that by the names globalThis and global, so the first use of these declares all globals as own
// properties. (It could also be the this of a function that is not strict. Such a script sees the globals, but not that
// they are own properties.)
type lazyGlobals struct{ rt *Runtime }

func (g lazyGlobals) Get(name string) goja.Value {
	if name == "globalThis" {
		g.rt.ownGlobals()
		return g.rt.vm.GlobalObject()
	}
	if _, ok := g.rt.lazies[name]; !ok {
		return nil
	}
	if name == "global" {
		g.rt.ownGlobals()
	}
	return g.rt.makeGlobal(name)
}

// makeGlobal makes a global that is not made yet, and defines it as a property with a value.
func (rt *Runtime) makeGlobal(name string) goja.Value {
	lazy, ok := rt.lazies[name]
	if !ok {
		return rt.vm.GlobalObject().Get(name)
	}
	v := lazy.make()
	delete(rt.lazies, name)
	_ = rt.vm.GlobalObject().DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, lazy.enumerable)
	return v
}

// ownGlobals makes own properties of the globals: accessors, which at the first look turn into properties with values,
// as in Node.
func (rt *Runtime) ownGlobals() {
	global := rt.vm.GlobalObject()
	if rt.lazyNames == nil {
		return
	}
	names := rt.lazyNames
	rt.lazyNames = nil
	_ = global.DefineDataProperty("globalThis", global, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	for _, name := range names {
		lazy, ok := rt.lazies[name]
		if !ok {
			continue
		}
		get := rt.function("get "+name, 0, func(goja.FunctionCall) goja.Value { return rt.makeGlobal(name) })
		set := rt.function("set "+name, 1, func(call goja.FunctionCall) goja.Value {
			delete(rt.lazies, name)
			_ = global.DefineDataProperty(name, call.Argument(0), goja.FLAG_TRUE, goja.FLAG_TRUE, lazy.enumerable)
			return goja.Undefined()
		})
		_ = global.DefineAccessorProperty(name, get, set, goja.FLAG_TRUE, lazy.enumerable)
	}
}

// Set is not called for assignments to globals: those make a property of the global object.
func (g lazyGlobals) Set(string, goja.Value) bool { return false }

func (g lazyGlobals) Has(name string) bool {
	_, ok := g.rt.lazies[name]
	return ok || name == "globalThis"
}

func (g lazyGlobals) Delete(name string) bool {
	delete(g.rt.lazies, name)
	return true
}

func (g lazyGlobals) Keys() []string { return nil }

// lazyFrom declares globals that a file of lib exports: not enumerable, as Web IDL has it for classes.
func (rt *Runtime) lazyFrom(file string, names ...string) {
	for _, name := range names {
		rt.lazy(name, goja.FLAG_FALSE, func() goja.Value { return rt.load(file).Get(name) })
	}
}

// lazyFunctions declares functions, or attributes, that a file of lib exports: enumerable.
func (rt *Runtime) lazyFunctions(file string, names ...string) {
	for _, name := range names {
		rt.lazy(name, goja.FLAG_TRUE, func() goja.Value { return rt.load(file).Get(name) })
	}
}

// setUpLanguage adds what ECMA-262 has and the engine has not.
func (rt *Runtime) setUpLanguage() {
	symbol := rt.vm.Get("Symbol").(*goja.Object)
	for _, name := range []string{"asyncIterator", "dispose", "asyncDispose"} {
		if v := symbol.Get(name); v == nil || goja.IsUndefined(v) {
			_ = symbol.DefineDataProperty(name, goja.NewSymbol("Symbol."+name), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
		}
	}
	promise := rt.vm.Get("Promise").(*goja.Object)
	for _, name := range []string{"withResolvers", "try"} {
		if v := promise.Get(name); v == nil || goja.IsUndefined(v) {
			length := map[string]int{"try": 1}[name]
			rt.method(promise, name, length, func(call goja.FunctionCall) goja.Value {
				v, err := rt.exported("promise", name)(call.This, call.Arguments...)
				if err != nil {
					panic(err)
				}
				return v
			})
		}
	}
}

// natives is what files of lib get from Go.
func (rt *Runtime) natives() goja.Value {
	if rt.nativesObj == nil {
		rt.nativesObj = rt.vm.NewObject()
		rt.processNatives(rt.nativesObj)
		rt.consoleNatives(rt.nativesObj)
		rt.eventNatives(rt.nativesObj)
		rt.moduleNatives(rt.nativesObj)
		rt.timerNatives(rt.nativesObj)
		rt.errorNatives(rt.nativesObj)
		rt.clockNatives(rt.nativesObj)
		rt.byteNatives(rt.nativesObj)
		rt.fetchNatives(rt.nativesObj)
		rt.urlNatives(rt.nativesObj)
	}
	return rt.nativesObj
}
