package gojaloop

import (
	"context"
	"fmt"
	"regexp"

	"github.com/dop251/goja"
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
func Compile(name, src string) (*goja.Program, error) { return compile(name, src, false) }

// lastCodePoint is an escape that makes goja's parser panic. The same in two escapes does not.
var lastCodePoint = regexp.MustCompile(`\\u\{0*10[fF]{4}\}`)

const lastCodePointAsTwo = `\uDBFF\uDFFF`

func compile(name, src string, strict bool) (prg *goja.Program, err error) {
	if err := nesting.CheckScript(src); err != nil {
		return nil, &SyntaxError{Name: name, Message: fmt.Sprintf("%s: %v", name, err)}
	}
	prg, panicked, err := tryCompile(name, src, strict)
	if panicked && lastCodePoint.MatchString(src) {
		prg, _, err = tryCompile(name, lastCodePoint.ReplaceAllString(src, lastCodePointAsTwo), strict)
	}
	return prg, err
}

func tryCompile(name, src string, strict bool) (prg *goja.Program, panicked bool, err error) {
	defer func() {
		if v := recover(); v != nil {
			panicked = true
			err = &SyntaxError{Name: name, Message: fmt.Sprintf("%s: the engine cannot parse this: %v", name, v)}
		}
	}()
	parsed, err := parse(name, src)
	if err != nil {
		return nil, false, &SyntaxError{Name: name, Message: cleanSyntax(err.Error())}
	}
	prg, err = goja.CompileAST(parsed, strict)
	if err != nil {
		return nil, false, &SyntaxError{Name: name, Message: cleanSyntax(err.Error())}
	}
	return prg, false, nil
}

// noSourceMaps keeps the engine from reading the file that a comment in the source names as its source map. Maps that are
// in the source itself are used.
var noSourceMaps = parser.WithSourceMapLoader(func(string) ([]byte, error) { return nil, nil })

// inPlace is how many bytes a source may have to be compiled by the goroutine that wants to run it. The engine's compiler
// takes time that grows with the square of the length for some sources, but little for one as short as this.
const inPlace = 4 << 10

// compileUnder is [Compile] until ctx ends. Nothing can stop the compiler; it then comes to its end by itself, on a
// goroutine of its own.
func compileUnder(ctx context.Context, name, src string) (*goja.Program, error) {
	if len(src) <= inPlace && !nesting.ManyArrows(src) {
		return Compile(name, src)
	}
	return detach.Run(ctx, func() (*goja.Program, error) { return Compile(name, src) })
}

var (
	syntaxPrefix  = regexp.MustCompile(`^(SyntaxError: )+`)
	counterSuffix = regexp.MustCompile(`(:\d+:\d+)\(\d+\)`)
)

func cleanSyntax(s string) string { return syntaxPrefix.ReplaceAllString(s, "") }
