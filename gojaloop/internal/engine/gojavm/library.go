package gojavm

import (
	"embed"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/unistring"
)

// A Library has the parts that are easier to write in JavaScript. Each of its scripts is a function with two
// parameters: native has the operations that need Go, and load returns the exports of another script. The scripts are
// compiled once, and run when a script of the embedder first needs them. The globals that they name are parameters
// too. So a script's variables of such names, at its top level or on the global object, do not affect the library. The same
// holds for methods of the engine that it replaces. Any goroutine may use it.
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
	parameters []string // the globals that it names, and the names that rewrite has added
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
		p.compile(OwnSource+name, string(src))
	})
	return p
}

// compile compiles a script as a function. Its parameters are the globals that it names, and the functions of the engine
// that it calls: see rewrite.
func (p *libraryProgram) compile(name, src string) {
	p.intrinsics = reachable(src)
	p.parameters = globalsIn(src)
	text := "(function(" + strings.Join(append([]string{"native", "load"}, p.parameters...), ", ") + ") {'use strict';" + src + "\n})"
	tree, err := goja.Parse(name, text, noSourceMaps)
	if err != nil {
		panic(err) // of the library's script
	}
	functions := rewrite(tree, topLevel("(function() {"+src+"\n})"))
	list := tree.Body[0].(*ast.ExpressionStatement).Expression.(*ast.FunctionLiteral).ParameterList
	for _, name := range functions {
		list.List = append(list.List, &ast.Binding{Target: &ast.Identifier{Name: unistring.NewFromString(name), Idx: list.Closing}})
	}
	p.parameters = append(p.parameters, functions...)
	if p.prg, err = goja.CompileAST(tree, true); err != nil {
		panic(err)
	}
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

// Primordials are the functions of the engine that the library's scripts call: see rewrite.
func (l *Library) Primordials() []string {
	needed := make(map[string]bool)
	for name := range l.paths() {
		for _, parameter := range l.program(name).parameters {
			if parameter[0] == '$' {
				needed[parameter] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(needed))
}
