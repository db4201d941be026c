package gojaloop

import (
	"context"
	"strings"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/internal/detach"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
	"github.com/eventloop-go/eventloop/gojaloop/internal/nesting"
)

// A SyntaxError says that source text does not parse. It is the script's error, where the engine's parser panics too.
type SyntaxError struct {
	Name    string // of the source
	Message string // with the position
}

func (e *SyntaxError) Error() string { return "SyntaxError: " + e.Message }

// Compile parses a script, which may then be run by any number of runtimes. Errors are of type *[SyntaxError].
//
// A source of more than about 130,000 tokens is refused if more than 1,000 expressions or statements nest in it.
// Shorter ones may nest to any depth, except arrow functions in the parameters of arrow functions, of which 6 may nest.
// Nothing stops the engine's compiler, which takes time that grows with the square of the length for a long chain of operators.
func Compile(name, src string) (*goja.Program, error) {
	s, err := compile(name, src)
	return s.Program, err
}

// MustCompile is [Compile] for a script that is known to be right, such as one that is embedded. It panics if it is not.
func MustCompile(name, src string) *goja.Program {
	prg, err := Compile(name, src)
	if err != nil {
		panic(err)
	}
	return prg
}

// CompileFunction parses the body of a function with these parameters: the value of the program is that function. So Node
// runs modules, and its vm.compileFunction does the same. Positions in stacks are those in src, and errors are as those of
// [Compile].
func CompileFunction(name, src string, parameters ...string) (*goja.Program, error) {
	prg, err := gojavm.CompileFunction(name, src, parameters...)
	return prg, syntaxError(err)
}

// A script is a compiled program with its text.
type script struct{ gojavm.Script }

func compile(name, src string) (script, error) {
	s, err := gojavm.Compile(name, src, globalTable)
	return script{s}, syntaxError(err)
}

func syntaxError(err error) error {
	if e, ok := err.(*gojavm.SyntaxError); ok {
		return &SyntaxError{Name: e.Name, Message: e.Message}
	}
	return err
}

// run runs the script.
func (s script) run(rt *Runtime) (goja.Value, error) {
	rt.vm.Prepare(s.Source)
	if strings.Contains(s.Source, "getOwnPropertyDescriptor") {
		rt.vm.OwnGlobals() // who calls that has got hold of it before it gets hold of the global object
	}
	return rt.vm.RunProgram(s.Program)
}

// inPlace is how many bytes a source may have to be compiled by the goroutine that wants to run it. The engine's compiler
// takes time that grows with the square of the length for some sources, but little for one as short as this.
const inPlace = 4 << 10

// compileUnder is compile until ctx ends. Nothing can stop the compiler; it then comes to its end by itself, on a
// goroutine of its own.
func compileUnder(ctx context.Context, name, src string) (script, error) {
	if len(src) <= inPlace && !nesting.ManyArrows(src) {
		return compile(name, src)
	}
	return detach.Run(ctx, func() (script, error) { return compile(name, src) })
}
