package gojaloop

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/internal/detach"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
	"github.com/eventloop-go/eventloop/gojaloop/internal/files"
	"github.com/eventloop-go/eventloop/gojaloop/internal/modulecache"
	"github.com/eventloop-go/eventloop/gojaloop/internal/resolve"
)

// WithModules gives scripts require. It finds our own modules, which [Builtins] lists, and files, by Node's rules. The
// function read returns the files. It may be nil. It gets slash-separated paths, and returns [fs.ErrNotExist] for a missing file. Module fs
// reads by it too, so it decides what a script may see of the file system. [WithFiles] gives a file system instead, with
// directories.
func WithModules(read func(path string) ([]byte, error)) Option {
	return func(o *options) {
		o.modules, o.files = true, nil
		if read != nil {
			o.files = files.FromFunc(read)
		}
	}
}

// WithFiles is [WithModules] with a file system: a script finds the file a/b of fsys as /a/b. Scripts cannot write to it. Several
// runtimes may share it if it allows that.
func WithFiles(fsys fs.FS) Option {
	return func(o *options) { o.modules, o.files = true, files.FromFS(fsys) }
}

// WithTransform sets a function that compiles each file for require to source text that the engine can run, such as older
// JavaScript. The compiled text of an ES module may use two properties of the module's require. require.import resolves a
// specifier as import does and gives a namespace. require.meta is import.meta.
func WithTransform(transform func(path, src string) (string, error)) Option {
	return func(o *options) { o.transform = transform }
}

// setUpModules defines require. It makes the loader when a script first calls it.
func (rt *Runtime) setUpModules() {
	// Code for Node's modules may use V8's function. To reach for the class of errors makes the engine build
	// it, so that scripts without modules do not get it.
	rt.vm.Method(rt.vm.Get("Error").(*goja.Object), "captureStackTrace", 2, rt.vm.CaptureStackTrace)
	require := rt.vm.Function("require", 1, rt.requireGlobal).(*goja.Object)
	for _, name := range []string{"resolve", "cache", "extensions"} {
		get := rt.vm.ToValue(func(goja.FunctionCall) goja.Value {
			return gojavm.Get(rt.vm.Load("module").Get("globals").(*goja.Object), name)
		})
		_ = require.DefineAccessorProperty(name, get, nil, goja.FLAG_TRUE, goja.FLAG_TRUE)
	}
	rt.vm.GlobalObject().Set("require", require) //nolint:errcheck // it is there, and writable
}

// requireGlobal is the global require. Paths are relative to the file of the script that calls it.
func (rt *Runtime) requireGlobal(call goja.FunctionCall) goja.Value {
	var buf [2]goja.StackFrame
	from := "."
	if frames := rt.vm.CaptureCallStack(2, buf[:0]); len(frames) == 2 {
		from = frames[1].SrcName()
	}
	v, err := rt.requireFrom(from, call.Argument(0))
	if err != nil {
		panic(err)
	}
	return v
}

func (rt *Runtime) requireFrom(from string, id goja.Value) (goja.Value, error) {
	v, err := rt.vm.Exported("module", "requireFrom")(goja.Undefined(), rt.vm.ToValue(from))
	if err != nil {
		return nil, err
	}
	require, _ := goja.AssertFunction(v)
	return require(goja.Undefined(), id)
}

var errNoModules = errors.New("gojaloop: the runtime was made without WithModules or WithFiles")

// Require loads a module as require would in a script. It must be called on the loop.
func (rt *Runtime) Require(path string) (goja.Value, error) {
	if !rt.opts.modules {
		return nil, errNoModules
	}
	return rt.requireFrom(".", rt.vm.ToValue(path))
}

// RequireMain runs a file as the main module: require.main in every module. It returns what the file exports. It must be called
// on the loop.
func (rt *Runtime) RequireMain(path string) (goja.Value, error) {
	if !rt.opts.modules {
		return nil, errNoModules
	}
	return rt.vm.Exported("module", "runMain")(goja.Undefined(), rt.vm.ToValue(path))
}

// moduleNatives gives module.js what it builds on.
func (rt *Runtime) moduleNatives(h *host) {
	r := &resolve.Resolver{Files: rt.opts.files, Builtin: isBuiltin}
	define := func(name string, length int, fn func(goja.FunctionCall) goja.Value) {
		h.Define(name, rt.vm.Function(name, length, fn))
	}
	define("resolveModule", 3, func(call goja.FunctionCall) goja.Value {
		return rt.vm.ToValue(rt.resolve(r, call.Argument(0).String(), call.Argument(1).String(), call.Argument(2).ToBoolean()))
	})
	define("readModule", 1, func(call goja.FunctionCall) goja.Value {
		src, err := rt.readModule(call.Argument(0).String())
		if err != nil {
			panic(rt.moduleError(call.Argument(0).String(), err))
		}
		return rt.vm.ToValue(src)
	})
	define("compileModule", 2, func(call goja.FunctionCall) goja.Value {
		name, src := call.Argument(0).String(), call.Argument(1).String()
		prg, err := rt.compileModule(name, src)
		if err != nil {
			panic(rt.moduleError(name, err))
		}
		v, err := rt.vm.RunProgram(prg)
		if err != nil {
			panic(err)
		}
		return v
	})
	define("builtinModule", 1, func(call goja.FunctionCall) goja.Value { return rt.builtin(call.Argument(0).String()) })
	define("builtinNames", 0, func(goja.FunctionCall) goja.Value {
		names := []any{}
		for _, name := range Builtins() {
			names = append(names, name)
		}
		return rt.vm.NewArray(names...)
	})
	define("modulePaths", 1, func(call goja.FunctionCall) goja.Value {
		list := []any{}
		for _, p := range resolve.NodeModules(path.Clean(call.Argument(0).String())) {
			list = append(list, p)
		}
		return rt.vm.NewArray(list...)
	})
}

var (
	requireConditions = []string{"node", "require"}
	importConditions  = []string{"node", "import"}
)

// resolve finds a module, or throws. Where a part of Node is missing, a package may say what to use in a browser instead.
func (rt *Runtime) resolve(r *resolve.Resolver, specifier, from string, imports bool) string {
	q := resolve.Request{Specifier: specifier, From: from, Conditions: requireConditions, Import: imports}
	if imports {
		q.Conditions = importConditions
	}
	found, err := r.Resolve(q)
	var failed *resolve.Error
	name := strings.TrimPrefix(specifier, "node:")
	if err != nil && slices.Contains(nodeOnly, name) {
		instead, ok := r.Browser(specifier, from)
		switch {
		case ok && instead == "":
			return "empty:"
		case ok:
			q.Specifier = instead
			found, err = r.Resolve(q)
		default:
			panic(rt.vm.CodedError("Error", "MODULE_NOT_FOUND", "Cannot find module '"+specifier+"': it is a part of Node that is not available here"))
		}
	}
	switch {
	case err == nil:
		return found
	case errors.As(err, &failed):
		panic(rt.vm.CodedError(failed.Class, failed.Code, failed.Message))
	}
	panic(rt.moduleError(specifier, err))
}

// moduleError is what a script gets for an error of reading or compiling a module.
func (rt *Runtime) moduleError(name string, err error) any {
	switch {
	case isInterrupt(err):
		return err
	case files.IsNotFound(err):
		return rt.vm.CodedError("Error", "ENOENT", "ENOENT: no such file or directory, open '"+name+"'")
	case errors.Is(err, fs.ErrPermission):
		return rt.vm.CodedError("Error", "EACCES", "Cannot read module '"+name+"': "+err.Error())
	}
	return rt.vm.Error("SyntaxError", strings.TrimPrefix(err.Error(), "SyntaxError: "))
}

func isInterrupt(err error) bool {
	var interrupted *goja.InterruptedError
	return errors.As(err, &interrupted)
}

// readModule returns the text of a module: as in Node, a byte order mark and a line that begins with #! may come first.
func (rt *Runtime) readModule(path string) (string, error) {
	data, err := rt.opts.files.Read(path)
	if err != nil {
		return "", err
	}
	src := strings.TrimPrefix(string(data), "\uFEFF")
	if strings.HasPrefix(src, "#!") {
		src = "//" + src
	}
	if !strings.HasSuffix(path, ".json") && rt.opts.transform != nil {
		return rt.opts.transform(path, src)
	}
	return src, nil
}

// compileModule compiles the function of a module, or finds what another runtime has compiled of the same text under the same
// path. A long text is compiled until the context ends that the script runs under, as [compileUnder] does.
func (rt *Runtime) compileModule(path, src string) (*goja.Program, error) {
	rt.vm.Prepare(src)
	maps := func(file string) ([]byte, error) { return rt.opts.files.Read(file) }
	compile := func() (*goja.Program, error) {
		prg, err := gojavm.CompileModule(path, src, maps)
		return prg, syntaxError(err)
	}
	under := func() (*goja.Program, error) {
		if len(src) <= inPlace {
			return compile()
		}
		ctx, stop := rt.vm.Watched()
		defer stop()
		prg, err := detach.Run(ctx, compile)
		if err != nil && ctx.Err() != nil {
			return nil, new(goja.InterruptedError)
		}
		return prg, err
	}
	if strings.Contains(src, "sourceMappingURL") {
		return under() // the map may be in a file that other runtimes must not see
	}
	return modulecache.Get(path, src, under)
}

// builtin returns what require gives for a module of ours, or throws.
func (rt *Runtime) builtin(name string) goja.Value {
	b := builtins[name]
	switch {
	case rt.opts.left[b.group]:
		panic(rt.vm.CodedError("Error", "MODULE_NOT_FOUND", fmt.Sprintf("Cannot find module '%s': the runtime was made without %s", name, b.group)))
	case b.files && rt.opts.files == nil:
		panic(rt.vm.CodedError("Error", "ERR_ACCESS_DENIED", "Access to this API has been restricted: "+name))
	case name == "console":
		return rt.consoleObject() // console.js is run when it is needed
	case name == "process":
		return rt.processObject()
	}
	var v goja.Value = rt.vm.Load(b.script)
	if b.export != "" {
		for _, property := range strings.Split(b.export, ".") {
			v = v.(*goja.Object).Get(property)
		}
	}
	return v
}
