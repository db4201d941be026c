package gojaloop

import (
	"github.com/dop251/goja"
	_ "github.com/dop251/goja_nodejs/buffer" // for require
	"github.com/dop251/goja_nodejs/url"
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

// setUpGlobals defines the globals. What takes time to make is made when the script first asks for it.
func (rt *Runtime) setUpGlobals() {
	has := func(g Group) bool { return !rt.opts.left[g] }
	global := rt.vm.GlobalObject()
	_ = global.DefineDataProperty("global", global, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	rt.lazies = make(map[string]lazyGlobal, 32)
	lazy := rt.vm.NewDynamicObject(lazyGlobals{rt})
	_ = lazy.SetPrototype(global.Prototype())
	_ = global.SetPrototype(lazy) // the global object is extensible
	rt.setUpLanguage()
	if has(Timers) {
		rt.setUpTimers()
	}
	if has(Microtasks) {
		rt.global("queueMicrotask", 1, rt.queueMicrotask)
	}
	if has(Process) {
		rt.lazy("process", rt.processObject)
	}
	if has(Console) {
		rt.lazy("console", func() goja.Value { return rt.consoleObject() })
	}
	if has(Events) {
		rt.lazyFrom("events", "Event", "EventTarget", "CustomEvent", "AbortController", "AbortSignal")
	}
	if has(Clone) {
		rt.lazyFrom("exception", "DOMException")
		rt.lazyFrom("clone", "structuredClone")
	}
	if has(Performance) {
		rt.lazyFrom("performance", "performance", "Performance", "PerformanceEntry", "PerformanceMark", "PerformanceMeasure")
	}
	if has(Encoding) {
		rt.lazyFrom("encoding", "TextEncoder", "TextDecoder", "atob", "btoa")
	}
	if has(Crypto) {
		rt.lazyFrom("crypto", "crypto", "Crypto")
	}
	if has(URL) {
		rt.lazy("URL", func() goja.Value { return rt.load("url").Get("URL") })
		rt.lazy("URLSearchParams", func() goja.Value { return rt.urlModule().Get("URLSearchParams") })
	}
	if rt.opts.client != nil {
		rt.lazyFrom("fetch", "fetch", "Headers", "Request", "Response")
	}
	if rt.opts.modules {
		rt.setUpModules()
	}
}

// global defines a function: enumerable, as Web IDL and Node have it.
func (rt *Runtime) global(name string, length int, fn func(goja.FunctionCall) goja.Value) {
	rt.lazies[name] = lazyGlobal{func() goja.Value { return rt.function(name, length, fn) }, goja.FLAG_TRUE}
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

// lazy defines a global that is made at the first look.
func (rt *Runtime) lazy(name string, make func() goja.Value) {
	rt.lazies[name] = lazyGlobal{make, goja.FLAG_FALSE}
}

type lazyGlobal struct {
	make       func() goja.Value
	enumerable goja.Flag
}

// lazyGlobals is the prototype of the global object: it makes globals when they are not there yet. An accessor for each
// would take most of the time that a runtime takes to start.
type lazyGlobals struct{ rt *Runtime }

func (g lazyGlobals) Get(name string) goja.Value {
	lazy, ok := g.rt.lazies[name]
	if !ok {
		return nil
	}
	v := lazy.make()
	_ = g.rt.vm.GlobalObject().DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, lazy.enumerable)
	delete(g.rt.lazies, name)
	return v
}

// Set is not called for assignments to globals: those make a property of the global object.
func (g lazyGlobals) Set(string, goja.Value) bool { return false }

func (g lazyGlobals) Has(name string) bool {
	_, ok := g.rt.lazies[name]
	return ok
}

func (g lazyGlobals) Delete(name string) bool {
	delete(g.rt.lazies, name)
	return true
}

func (g lazyGlobals) Keys() []string { return nil }

// lazyFrom defines globals that a file of lib exports.
func (rt *Runtime) lazyFrom(file string, names ...string) {
	for _, name := range names {
		rt.lazy(name, func() goja.Value { return rt.load(file).Get(name) })
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

// urlModule is goja_nodejs's implementation of the URL Standard; lib/url.js mends it.
func (rt *Runtime) urlModule() *goja.Object {
	if rt.exports["goja_nodejs/url"] == nil {
		module := rt.vm.NewObject()
		_ = module.Set("exports", rt.vm.NewObject())
		url.Require(rt.vm, module)
		rt.exports["goja_nodejs/url"] = module.Get("exports").(*goja.Object)
	}
	return rt.exports["goja_nodejs/url"]
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
	}
	return rt.nativesObj
}
