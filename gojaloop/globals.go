package gojaloop

import (
	"slices"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
)

// A global is a value that scripts find under a name. It is made when a script first asks for it.
type global struct {
	name       string
	group      Group
	enumerable goja.Flag
	make       func(rt *Runtime) goja.Value
}

// Groups of globals that need an option: [WithFetch], [WithListen], and one of these two.
const (
	network   Group = "network"
	listening Group = "listening"
	messages  Group = "messages"
)

// moduleGlobals is the group of those that need [WithModules] or [WithFiles].
const moduleGlobals Group = "modules"

// globals are all globals, in the order in which Node declares them. The maker of one may ask for another, so the table
// cannot be an initial value.
var (
	globals     []global
	globalTable *gojavm.GlobalTable
)

func init() {
	globals = declareGlobals()
	declared := make([]gojavm.Global, len(globals))
	for i, g := range globals {
		declared[i] = gojavm.Global{Name: g.name, Enumerable: g.enumerable}
	}
	globalTable = gojavm.NewGlobalTable(declared)
}

func declareGlobals() []global {
	return slices.Concat(
		globalObject("global"),
		globalObject("self"),
		native(Timers, "setTimeout", 5, func(vm *gojavm.VM, call goja.FunctionCall) goja.Value { return vm.SetTimer(call, false) }),
		native(Timers, "setInterval", 5, func(vm *gojavm.VM, call goja.FunctionCall) goja.Value { return vm.SetTimer(call, true) }),
		native(Timers, "setImmediate", 4, (*gojavm.VM).SetImmediate),
		clearer("clearTimeout"),
		clearer("clearInterval"),
		native(Timers, "clearImmediate", 1, (*gojavm.VM).ClearImmediate),
		native(Microtasks, "queueMicrotask", 1, (*gojavm.VM).QueueMicrotask),
		functions(Clone, "clone", "structuredClone"),
		classes(Clone, "exception", "DOMException"),
		functions(Encoding, "base64", "atob", "btoa"),
		classes(Encoding, "encoding", "TextEncoder", "TextDecoder"),
		functions(Performance, "performance", "performance"),
		classes(Performance, "performance", "Performance", "PerformanceEntry", "PerformanceMark", "PerformanceMeasure"),
		classes(Performance, "observer", "PerformanceObserver", "PerformanceObserverEntryList"),
		functions(network, "fetch", "fetch"),
		functions(listening, "serve", "serve"),
		classes(messages, "headers", "Headers"),
		classes(messages, "request", "Request"),
		classes(messages, "response", "Response"),
		classes(messages, "blob", "Blob", "File"),
		classes(messages, "formdata", "FormData"),
		functions(Crypto, "crypto", "crypto"),
		classes(Crypto, "crypto", "Crypto"),
		classes(moduleGlobals, "buffer", "Buffer"),
		[]global{{"process", Process, goja.FLAG_FALSE, (*Runtime).processObject}},
		[]global{{"console", Console, goja.FLAG_FALSE, (*Runtime).consoleObject}},
		classes(Events, "event", "Event", "CustomEvent"),
		classes(Events, "events", "EventTarget"),
		classes(Events, "abort", "AbortController", "AbortSignal"),
		classes(Events, "messages", "MessageChannel", "MessagePort", "MessageEvent"),
		classes(Events, "errorevents", "ErrorEvent", "PromiseRejectionEvent"),
		functions(Events, "errorevents", "reportError"),
		classes(Process, "errorevents", "navigator", "Navigator"),
		classes(URL, "url", "URL"),
		classes(URL, "urlsearchparams", "URLSearchParams"),
		classes(Streams, "stream", "ReadableStream", "ReadableStreamDefaultReader", "ReadableStreamBYOBReader",
			"ReadableStreamBYOBRequest", "ReadableByteStreamController", "ReadableStreamDefaultController",
			"WritableStream", "WritableStreamDefaultWriter", "WritableStreamDefaultController",
			"TransformStream", "TransformStreamDefaultController", "ByteLengthQueuingStrategy", "CountQueuingStrategy"),
	)
}

// globalObject declares a name of the global object.
func globalObject(name string) []global {
	return []global{{name, "", goja.FLAG_TRUE, func(rt *Runtime) goja.Value { return rt.vm.GlobalObject() }}}
}

// native declares a function of Go's: enumerable, as Web IDL and Node have it.
func native(g Group, name string, length int, fn func(*gojavm.VM, goja.FunctionCall) goja.Value) []global {
	return []global{{name, g, goja.FLAG_TRUE, func(rt *Runtime) goja.Value {
		return rt.vm.Function(name, length, func(call goja.FunctionCall) goja.Value { return fn(&rt.vm, call) })
	}}}
}

// clearer declares clearTimeout, or clearInterval: they are the same.
func clearer(name string) []global {
	return []global{{name, Timers, goja.FLAG_TRUE, func(rt *Runtime) goja.Value {
		return rt.vm.Function(name, 1, func(call goja.FunctionCall) goja.Value {
			if c := rt.opts.compatible; c != nil && c.ClearForeign(call.Argument(0)) {
				return goja.Undefined()
			}
			return rt.vm.ClearTimeout(call)
		})
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
		all = append(all, global{name, g, enumerable, func(rt *Runtime) goja.Value { return rt.vm.Load(file).Get(name) }})
	}
	return all
}
