package gojaloop

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/buffer"
	"github.com/dop251/goja_nodejs/require"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
	"github.com/eventloop-go/eventloop/gojaloop/internal/modulecache"
	"github.com/eventloop-go/eventloop/gojaloop/internal/nesting"
	"github.com/eventloop-go/eventloop/gojaloop/internal/node/modules"
)

// WithModules gives scripts require: for our own modules (parts of Node's assert, async_hooks, events, path, timers,
// util, url and buffer), and for files that read returns, found by Node's rules. read may be nil; it gets
// slash-separated paths, and reports [fs.ErrNotExist] for what is not there. It also serves fs.readFileSync, and thus
// decides what a script may see of the file system.
func WithModules(read func(path string) ([]byte, error)) Option {
	return func(o *options) { o.modules, o.read = true, read }
}

// builtins are the modules that lib implements.
var builtins = map[string]string{
	"assert":          "assert",
	"assert/strict":   "assert",
	"events":          "eventsmodule",
	"timers":          "timersmodule",
	"timers/promises": "timersmodule",
	"util":            "util",
	"process":         "process",
	"console":         "console",
	"fs":              "fs",
	"url":             "url",
	"perf_hooks":      "performance",
	"path":            "path",
	"async_hooks":     "asynchooks",
}

// moduleGroups are the groups of globals that modules give as well: who leaves a group out leaves them out.
var moduleGroups = map[string]Group{
	"process": Process, "console": Console, "timers": Timers, "timers/promises": Timers, "url": URL, "perf_hooks": Performance,
}

// Builtins tells the names of the modules that require knows without reading a file.
func Builtins() []string {
	names := []string{"buffer"}
	for name := range builtins {
		names = append(names, name)
	}
	return names
}

func (rt *Runtime) setUpModules() {
	registry := require.NewRegistry(require.WithLoader(func(string) ([]byte, error) { return nil, require.ModuleFileDoesNotExistError }))
	for name, file := range builtins {
		loader := func(vm *goja.Runtime, module *goja.Object) {
			if rt.refuse(name, module) {
				return
			}
			rt.vm.SetOwn(module, "exports", rt.builtin(name, file))
		}
		registry.RegisterNativeModule(name, loader)
		registry.RegisterNativeModule("node:"+name, loader)
	}
	buffers := func(vm *goja.Runtime, module *goja.Object) {
		buffer.Require(vm, module)
		for _, name := range []string{"atob", "btoa"} {
			rt.vm.SetOwn(module.Get("exports").(*goja.Object), name, rt.vm.Load("base64").Get(name))
		}
	}
	registry.RegisterNativeModule("buffer", buffers)
	registry.RegisterNativeModule("node:buffer", func(_ *goja.Runtime, module *goja.Object) {
		exports, err := rt.require.Require("buffer")
		if err != nil {
			panic(err)
		}
		rt.vm.SetOwn(module, "exports", exports)
	})
	// What is written for Node's modules may use V8's function. To reach for the class of errors makes the engine build
	// it, so that scripts without modules do not get it.
	rt.vm.Method(rt.vm.Get("Error").(*goja.Object), "captureStackTrace", 2, rt.vm.CaptureStackTrace)
	rt.require = modulecache.New(rt.vm.Runtime, registry, modulecache.Source{Read: rt.readModule, Mend: mendModule})
	rt.vm.GlobalObject().Set("require", rt.vm.Function("require", 1, rt.requireModule)) //nolint:errcheck // it is there, and writable
}

// WithTransform sets a function that turns the source text of each file that require loads into what the engine can
// run, such as older JavaScript.
func WithTransform(transform func(path, src string) (string, error)) Option {
	return func(o *options) { o.transform = transform }
}

// readModule returns the text of a file that require looks for: as in Node, a byte order mark and a line that begins with #!
// may come first.
func (rt *Runtime) readModule(path string) (string, error) {
	if rt.opts.read == nil {
		return "", require.ModuleFileDoesNotExistError
	}
	data, err := rt.opts.read(path)
	switch {
	case modules.IsNotFound(err):
		return "", require.ModuleFileDoesNotExistError
	case err != nil:
		return "", err
	}
	src := strings.TrimPrefix(string(data), "\uFEFF")
	if strings.HasSuffix(path, ".json") {
		var value any
		if err := json.Unmarshal([]byte(src), &value); err != nil {
			return "", fmt.Errorf("%s: %w", path, err)
		}
		return src, nil
	}
	if strings.HasPrefix(src, "#!") {
		src = "//" + src
	}
	if rt.opts.transform != nil {
		return rt.opts.transform(path, src)
	}
	return src, nil
}

// mendModule makes what the engine can run of a module's text.
func mendModule(path, src string) (string, error) {
	if deep := nesting.CheckScript(src); deep != nil {
		return "", &SyntaxError{Name: path, Message: fmt.Sprintf("%s: %v", path, deep)}
	}
	return gojavm.Mend(src), nil
}

// requireModule is require(id). What fails below it fails with Node's errors.
func (rt *Runtime) requireModule(call goja.FunctionCall) goja.Value {
	id, ok := call.Argument(0).(goja.String)
	if !ok {
		rt.vm.WrongArgument("id", "of type string", call.Argument(0))
	}
	name := id.String()
	if name == "" {
		panic(rt.vm.CodedError("TypeError", "ERR_INVALID_ARG_VALUE", "The argument 'id' must be a non-empty string. Received ''"))
	}
	exports, err := rt.require.Require(name)
	if err != nil && strings.Contains(nodeOnly, " "+strings.TrimPrefix(name, "node:")+" ") {
		panic(rt.vm.CodedError("Error", "MODULE_NOT_FOUND", "Cannot find module '"+name+"': it is a part of Node that is not available here"))
	}
	var thrown *goja.Exception
	switch {
	case err == nil:
		return exports
	case errors.As(err, &thrown), isInterrupt(err):
		panic(err)
	case errors.Is(err, require.NoSuchBuiltInModuleError):
		panic(rt.vm.CodedError("Error", "ERR_UNKNOWN_BUILTIN_MODULE", "No such built-in module: "+name))
	case errors.Is(err, require.InvalidModuleError):
		panic(rt.vm.CodedError("Error", "MODULE_NOT_FOUND", "Cannot find module '"+name+"'"))
	case errors.Is(err, fs.ErrPermission):
		panic(rt.vm.CodedError("Error", "EACCES", "Cannot read module '"+name+"': "+err.Error()))
	}
	panic(rt.vm.Error("SyntaxError", strings.TrimPrefix(err.Error(), "SyntaxError: ")))
}

// nodeOnly are modules of Node's that programs ask for and nobody here implements.
const nodeOnly = " child_process cluster dgram diagnostics_channel dns domain http http2 https inspector module net os querystring readline " +
	"repl stream stream/promises string_decoder tls trace_events tty v8 vm wasi worker_threads zlib fs/promises "

func isInterrupt(err error) bool {
	var interrupted *goja.InterruptedError
	return errors.As(err, &interrupted)
}

// builtin returns what require gives for a module of ours.
func (rt *Runtime) builtin(name, file string) goja.Value {
	if name == "console" {
		return rt.consoleObject() // console.js is run when it is needed
	}
	exports := rt.vm.Load(file)
	switch name {
	case "events":
		return exports.Get("EventEmitter")
	case "assert":
		return exports.Get("assert")
	case "assert/strict":
		return exports.Get("assert").(*goja.Object).Get("strict")
	case "process":
		return rt.processObject()
	case "timers/promises":
		return exports.Get("promises")
	}
	return exports
}

// refuse makes a module throw each time that it is required, if the embedder does not want it. The library of require takes a
// loader that throws for one that has done its work.
func (rt *Runtime) refuse(name string, module *goja.Object) bool {
	code, message := "", ""
	switch group := moduleGroups[name]; {
	case rt.opts.left[group]:
		code, message = "MODULE_NOT_FOUND", "Cannot find module '"+name+"': the runtime was made without "+string(group)
	case name == "fs" && rt.opts.read == nil:
		code, message = "ERR_ACCESS_DENIED", "Access to this API has been restricted: fs"
	default:
		return false
	}
	throw := rt.vm.ToValue(func(goja.FunctionCall) goja.Value { panic(rt.vm.CodedError("Error", code, message)) })
	_ = module.DefineAccessorProperty("exports", throw, nil, goja.FLAG_FALSE, goja.FLAG_FALSE)
	return true
}

// Require loads a module as require would in a script. It must be called on the loop.
func (rt *Runtime) Require(path string) (goja.Value, error) {
	if rt.require == nil {
		return nil, fmt.Errorf("gojaloop: the runtime was made without WithModules")
	}
	return rt.require.Require(path)
}
