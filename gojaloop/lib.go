package gojaloop

import (
	"embed"
	"sync"

	"github.com/dop251/goja"
)

// What is easier to say in JavaScript is in lib: each file is a function of native, which has what only Go can do, and
// load, which gives the exports of another file. Files are compiled once, and run when a script first asks for them.

//go:embed lib/*.js
var libFiles embed.FS

var libPrograms sync.Map // of *libProgram by name

type libProgram struct {
	once sync.Once
	prg  *goja.Program
}

func libProgramOf(name string) *goja.Program {
	v, _ := libPrograms.LoadOrStore(name, new(libProgram))
	p := v.(*libProgram)
	p.once.Do(func() {
		src, err := libFiles.ReadFile("lib/" + name + ".js")
		if err != nil {
			panic(err)
		}
		p.prg = goja.MustCompile(internalPrefix+name, "(function(native, load) {'use strict';"+string(src)+"\n})", true)
	})
	return p.prg
}

// load returns the exports of a file of lib.
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

// exported returns a function that a file of lib exports.
func (rt *Runtime) exported(file, name string) goja.Callable {
	fn, _ := goja.AssertFunction(rt.load(file).Get(name))
	return fn
}
