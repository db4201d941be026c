package gojaloop

import (
	"slices"

	"github.com/dop251/goja"
	_ "github.com/dop251/goja_nodejs/buffer" // for require
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
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
	Streams     Group = "streams"     // ReadableStream, WritableStream, TransformStream and their kin (Streams)

	// CodeGeneration is no global: it is that eval, Function, and the constructors of the other kinds of functions, make code
	// of strings. Without it these throw an EvalError, as with Node's --disallow-code-generation-from-strings. Go code may
	// still use [goja.Runtime.RunString].
	CodeGeneration Group = "codegeneration"
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

// A global is what scripts find under a name. It is made when a script first asks for it.
type global struct {
	name       string
	group      Group
	enumerable goja.Flag
	make       func(rt *Runtime) goja.Value
}

// network is the group of those that need [WithFetch].
const network Group = "network"

// globals are all there are, in the order in which Node declares them, which Object.keys shows. One table serves all
// runtimes: a runtime that had to declare them would take most of its time to start for that.
var (
	globals     []global
	globalIndex map[string]int // of names in globals
)

// What makes a global may ask for another, so the table cannot be an initial value.
func init() {
	globals = declareGlobals()
	globalIndex = make(map[string]int, len(globals))
	for i, g := range globals {
		globalIndex[g.name] = i
	}
}

func declareGlobals() []global {
	return slices.Concat(
		[]global{{"global", "", goja.FLAG_TRUE, func(rt *Runtime) goja.Value { return rt.vm.GlobalObject() }}},
		native(Timers, "setTimeout", 5, func(rt *Runtime, call goja.FunctionCall) goja.Value { return rt.setTimer(call, false) }),
		native(Timers, "setInterval", 5, func(rt *Runtime, call goja.FunctionCall) goja.Value { return rt.setTimer(call, true) }),
		native(Timers, "setImmediate", 4, (*Runtime).setImmediate),
		native(Timers, "clearTimeout", 1, (*Runtime).clearTimeout),
		native(Timers, "clearInterval", 1, (*Runtime).clearTimeout),
		native(Timers, "clearImmediate", 1, (*Runtime).clearImmediate),
		native(Microtasks, "queueMicrotask", 1, (*Runtime).queueMicrotask),
		functions(Clone, "clone", "structuredClone"),
		classes(Clone, "exception", "DOMException"),
		functions(Encoding, "base64", "atob", "btoa"),
		classes(Encoding, "encoding", "TextEncoder", "TextDecoder"),
		functions(Performance, "performance", "performance"),
		classes(Performance, "performance", "Performance", "PerformanceEntry", "PerformanceMark", "PerformanceMeasure"),
		classes(Performance, "observer", "PerformanceObserver", "PerformanceObserverEntryList"),
		functions(network, "fetch", "fetch"),
		classes(network, "headers", "Headers"),
		classes(network, "request", "Request"),
		classes(network, "response", "Response"),
		classes(network, "blob", "Blob", "File"),
		classes(network, "formdata", "FormData"),
		functions(Crypto, "crypto", "crypto"),
		classes(Crypto, "crypto", "Crypto"),
		[]global{{"process", Process, goja.FLAG_FALSE, (*Runtime).processObject}},
		classes(Console, "console", "console"),
		classes(Events, "event", "Event", "CustomEvent"),
		classes(Events, "events", "EventTarget"),
		classes(Events, "abort", "AbortController", "AbortSignal"),
		classes(URL, "url", "URL"),
		classes(URL, "urlsearchparams", "URLSearchParams"),
		classes(Streams, "stream", "ReadableStream", "ReadableStreamDefaultReader", "ReadableStreamBYOBReader",
			"ReadableStreamBYOBRequest", "ReadableByteStreamController", "ReadableStreamDefaultController",
			"WritableStream", "WritableStreamDefaultWriter", "WritableStreamDefaultController",
			"TransformStream", "TransformStreamDefaultController", "ByteLengthQueuingStrategy", "CountQueuingStrategy"),
	)
}

// native declares a function of Go's: enumerable, as Web IDL and Node have it.
func native(g Group, name string, length int, fn func(*Runtime, goja.FunctionCall) goja.Value) []global {
	return []global{{name, g, goja.FLAG_TRUE, func(rt *Runtime) goja.Value {
		return rt.function(name, length, func(call goja.FunctionCall) goja.Value { return fn(rt, call) })
	}}}
}

// functions declares functions, or attributes, that a script of the library exports: enumerable.
func functions(g Group, file string, names ...string) []global {
	return exports(g, file, goja.FLAG_TRUE, names)
}

// classes declares classes that a script of the library exports: not enumerable, as Web IDL has it.
func classes(g Group, file string, names ...string) []global {
	return exports(g, file, goja.FLAG_FALSE, names)
}

func exports(g Group, file string, enumerable goja.Flag, names []string) []global {
	var all []global
	for _, name := range names {
		all = append(all, global{name, g, enumerable, func(rt *Runtime) goja.Value { return rt.load(file).Get(name) }})
	}
	return all
}

// offers reports whether the runtime has a global that is not made yet.
func (rt *Runtime) offers(i int) bool {
	g := globals[i].group
	return !rt.made[i] && !rt.opts.left[g] && (g != network || rt.opts.client != nil)
}

// setUpGlobals puts the globals behind the global object.
func (rt *Runtime) setUpGlobals() {
	rt.made = make([]bool, len(globals))
	global := rt.vm.GlobalObject()
	lazy := rt.vm.NewDynamicObject(lazyGlobals{rt})
	_ = lazy.SetPrototype(global.Prototype())
	_ = global.SetPrototype(lazy) // the global object is extensible
	gojavm.BeforeParsing(rt.vm, rt.opts.left[CodeGeneration], rt.prepareAll)
	if rt.opts.modules {
		rt.setUpModules()
	}
	// Who looks at the global object itself gets hold of it by this name. See lazyGlobals.
	_ = global.Delete("globalThis")
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
	if !g.Has(name) {
		return nil
	}
	if name == "globalThis" {
		g.rt.ownGlobals()
		return g.rt.vm.GlobalObject()
	}
	if name == "global" {
		g.rt.ownGlobals()
	}
	return g.rt.makeGlobal(globalIndex[name])
}

// makeGlobal makes a global that is not made yet, and defines it as a property with a value.
func (rt *Runtime) makeGlobal(i int) goja.Value {
	g := &globals[i]
	if rt.made[i] {
		return rt.vm.GlobalObject().Get(g.name)
	}
	v := g.make(rt)
	rt.setGlobal(i, v)
	return v
}

func (rt *Runtime) setGlobal(i int, v goja.Value) {
	rt.made[i] = true
	_ = rt.vm.GlobalObject().DefineDataProperty(globals[i].name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, globals[i].enumerable)
}

// Set is not called for assignments to globals: those make a property of the global object.
func (g lazyGlobals) Set(string, goja.Value) bool { return false }

func (g lazyGlobals) Has(name string) bool {
	i, ok := globalIndex[name]
	return !g.rt.owned && (ok && g.rt.offers(i) || name == "globalThis")
}

func (g lazyGlobals) Delete(string) bool { return false }

func (g lazyGlobals) Keys() []string { return nil }
