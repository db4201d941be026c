package gojavm

import (
	"embed"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/dop251/goja"
)

// A Library has the parts that are easier to write in JavaScript. Each of its scripts is a function with two
// parameters: native has the operations that need Go, and load returns the exports of another script. The scripts are
// compiled once, and run when a script of the embedder first needs them. The globals that they name are parameters
// too. So a script's variables of such names, at its top level or on the global object, do not affect the library.
// Any goroutine may use it.
type Library struct {
	paths    func() map[string]libraryFile
	programs sync.Map // of *libraryProgram by name
}

type libraryFile struct {
	embed.FS
	path string
}

type libraryProgram struct {
	once       sync.Once
	prg        *goja.Program
	intrinsics []int    // that its text can reach
	parameters []string // the globals that it names
}

// NewLibrary makes a Library of the scripts in folders of these file systems. The names of the scripts must differ.
func NewLibrary(systems ...embed.FS) *Library {
	return &Library{paths: sync.OnceValue(func() map[string]libraryFile {
		files := make(map[string]libraryFile)
		for _, fsys := range systems {
			paths, _ := fs.Glob(fsys, "*/*.js")
			for _, p := range paths {
				files[strings.TrimSuffix(path.Base(p), ".js")] = libraryFile{fsys, p}
			}
		}
		return files
	})}
}

func (l *Library) program(name string) *libraryProgram {
	v, _ := l.programs.LoadOrStore(name, new(libraryProgram))
	p := v.(*libraryProgram)
	p.once.Do(func() {
		file := l.paths()[name]
		src, err := file.ReadFile(file.path)
		if err != nil {
			panic(err)
		}
		p.parameters = globalsIn(string(src))
		list := strings.Join(append([]string{"native", "load"}, p.parameters...), ", ")
		p.prg = goja.MustCompile(OwnSource+name, "(function("+list+") {'use strict';"+string(src)+"\n})", true)
		p.intrinsics = reachable(string(src))
	})
	return p
}

// Load returns the exports of a script of the library.
func (vm *VM) Load(name string) *goja.Object {
	if exports, ok := vm.exports[name]; ok {
		return exports
	}
	program := vm.library.program(name)
	vm.complete(program.intrinsics)
	v, err := vm.RunProgram(program.prg)
	if err != nil {
		panic(err)
	}
	fn, _ := goja.AssertFunction(v)
	load := vm.ToValue(func(call goja.FunctionCall) goja.Value { return vm.Load(call.Argument(0).String()) })
	args := []goja.Value{vm.natives(), load}
	for _, name := range program.parameters {
		args = append(args, vm.original(name))
	}
	v, err = fn(goja.Undefined(), args...)
	if err != nil {
		panic(err)
	}
	exports := v.(*goja.Object)
	vm.exports[name] = exports
	return exports
}

// Loaded reports whether anybody has asked for a script of the library.
func (vm *VM) Loaded(name string) bool { return vm.exports[name] != nil }

// Exported returns a function that a script of the library exports.
func (vm *VM) Exported(file, name string) goja.Callable {
	fn, _ := goja.AssertFunction(vm.Load(file).Get(name))
	return fn
}
