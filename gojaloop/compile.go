package gojaloop

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/parser"
	"github.com/eventloop-go/eventloop/gojaloop/internal/detach"
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
// A source of more than about 130,000 tokens is refused if more than 1,000 expressions or statements nest in it; how deep
// shorter ones nest is no matter, but for arrow functions in the parameters of arrow functions, of which 6 may nest.
// Nothing stops the engine's compiler, which takes time that grows with the square of the length for a long chain of operators.
func Compile(name, src string) (*goja.Program, error) {
	s, err := compile(name, src)
	return s.prg, err
}

// MustCompile is [Compile] for a script that is known to be right, such as one that is embedded. It panics if it is not.
func MustCompile(name, src string) *goja.Program {
	prg, err := Compile(name, src)
	if err != nil {
		panic(err)
	}
	return prg
}

// A script is a compiled program, and what has to be known of it before it runs.
type script struct {
	prg *goja.Program
	src string
	own []string // globals that it declares with var
}

// run runs the script. What makes a global is put off until somebody asks for it (see lazyGlobals), but to declare a
// variable of its name must leave its value as it is: so it is made before.
func (s script) run(rt *Runtime) (goja.Value, error) {
	rt.prepare(s.src)
	if strings.Contains(s.src, "getOwnPropertyDescriptor") {
		rt.ownGlobals() // who calls that has got hold of it before it gets hold of the global object
	}
	for _, name := range s.own {
		if i := globalIndex[name]; rt.offers(i) {
			rt.makeGlobal(i)
		}
	}
	return rt.vm.RunProgram(s.prg)
}

// lastCodePoint is an escape that makes goja's parser panic. The same in two escapes does not.
var lastCodePoint = regexp.MustCompile(`\\u\{0*10[fF]{4}\}`)

const lastCodePointAsTwo = `\uDBFF\uDFFF`

func compile(name, src string) (script, error) { return compileWith(name, src, parseScript) }

// compileWith compiles what parse makes of the text.
func compileWith(name, src string, parse func(name, src string) (*ast.Program, error)) (s script, err error) {
	if err := nesting.CheckScript(src); err != nil {
		return script{}, &SyntaxError{Name: name, Message: fmt.Sprintf("%s: %v", name, err)}
	}
	s, panicked, err := tryCompile(name, src, parse)
	if panicked && lastCodePoint.MatchString(src) {
		s, _, err = tryCompile(name, lastCodePoint.ReplaceAllString(src, lastCodePointAsTwo), parse)
	}
	return s, err
}

func tryCompile(name, src string, parse func(name, src string) (*ast.Program, error)) (s script, panicked bool, err error) {
	defer func() {
		if v := recover(); v != nil {
			panicked = true
			err = &SyntaxError{Name: name, Message: fmt.Sprintf("%s: the engine cannot parse this: %v", name, v)}
		}
	}()
	parsed, err := parse(name, src)
	if err != nil {
		return script{}, false, &SyntaxError{Name: name, Message: cleanSyntax(err.Error())}
	}
	addMentions(parsed, src)
	prg, err := goja.CompileAST(parsed, false)
	if err != nil {
		return script{}, false, &SyntaxError{Name: name, Message: cleanSyntax(err.Error())}
	}
	return script{prg, src, globalsDeclared(parsed)}, false, nil
}

func parseScript(name, src string) (*ast.Program, error) { return goja.Parse(name, src, noSourceMaps) }

// globalsDeclared tells which of our globals a program declares with var.
func globalsDeclared(prg *ast.Program) (names []string) {
	for _, declaration := range prg.DeclarationList {
		for _, binding := range declaration.List {
			if id, ok := binding.Target.(*ast.Identifier); ok {
				if _, ours := globalIndex[id.Name.String()]; ours {
					names = append(names, id.Name.String())
				}
			}
		}
	}
	return names
}

// noSourceMaps keeps the engine from reading the file that a comment in the source names as its source map. Maps that are
// in the source itself are used.
var noSourceMaps = parser.WithSourceMapLoader(func(string) ([]byte, error) { return nil, nil })

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

var (
	syntaxPrefix  = regexp.MustCompile(`^(SyntaxError: )+`)
	counterSuffix = regexp.MustCompile(`(:\d+:\d+)\(\d+\)`)
)

func cleanSyntax(s string) string { return syntaxPrefix.ReplaceAllString(s, "") }
