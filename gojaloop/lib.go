package gojaloop

import (
	"embed"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
	"github.com/eventloop-go/eventloop/gojaloop/internal/node"
	"github.com/eventloop-go/eventloop/gojaloop/internal/web"
)

// What is easier to say in JavaScript is in the scripts of packages web and node: each is a function of native, which has what
// only Go can do, and load, which gives the exports of another. They are compiled once, and run when a script of the embedder
// first asks for them.

// scriptPaths are where the scripts of the library are, by their names.
var scriptPaths = sync.OnceValue(func() map[string]scriptFile {
	files := make(map[string]scriptFile)
	for _, fsys := range []embed.FS{web.Scripts, node.Scripts} {
		paths, _ := fs.Glob(fsys, "*/*.js")
		for _, p := range paths {
			files[strings.TrimSuffix(path.Base(p), ".js")] = scriptFile{fsys, p}
		}
	}
	return files
})

type scriptFile struct {
	embed.FS
	path string
}

var libPrograms sync.Map // of *libProgram by name

type libProgram struct {
	once sync.Once
	prg  *goja.Program
}

func libProgramOf(name string) *goja.Program {
	v, _ := libPrograms.LoadOrStore(name, new(libProgram))
	p := v.(*libProgram)
	p.once.Do(func() {
		file := scriptPaths()[name]
		src, err := file.ReadFile(file.path)
		if err != nil {
			panic(err)
		}
		p.prg = goja.MustCompile(gojavm.OwnSource+name, "(function(native, load) {'use strict';"+string(src)+"\n})", true)
	})
	return p.prg
}

// load returns the exports of a script of the library.
func (rt *Runtime) load(name string) *goja.Object {
	if exports, ok := rt.exports[name]; ok {
		return exports
	}
	rt.prepareAll()
	v, err := rt.vm.RunProgram(libProgramOf(name))
	if err != nil {
		panic(err)
	}
	fn, _ := goja.AssertFunction(v)
	v, err = fn(goja.Undefined(), rt.natives(), rt.vm.ToValue(func(call goja.FunctionCall) goja.Value {
		return rt.load(call.Argument(0).String())
	}))
	if err != nil {
		panic(err)
	}
	exports := v.(*goja.Object)
	rt.exports[name] = exports
	return exports
}

// exported returns a function that a script of the library exports.
func (rt *Runtime) exported(file, name string) goja.Callable {
	fn, _ := goja.AssertFunction(rt.load(file).Get(name))
	return fn
}
