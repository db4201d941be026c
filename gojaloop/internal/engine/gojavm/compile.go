package gojavm

import (
	"fmt"
	"regexp"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/parser"
	"github.com/eventloop-go/eventloop/gojaloop/internal/nesting"
)

// A SyntaxError says that source text does not parse.
type SyntaxError struct{ Name, Message string }

func (e *SyntaxError) Error() string { return "SyntaxError: " + e.Message }

// A Script is a compiled program, and what has to be known of it before it runs.
type Script struct {
	Program  *goja.Program
	Source   string
	Declared []string // what it declares with var
}

// lastCodePoint is an escape that makes goja's parser panic. The same in two escapes does not.
var lastCodePoint = regexp.MustCompile(`\\u\{0*10[fF]{4}\}`)

const lastCodePointAsTwo = `\uDBFF\uDFFF`

// Mend puts right in source text what the engine gets wrong, for what a library compiles: see lastCodePoint and mentionArguments.
func Mend(src string) string {
	return mentionArguments(lastCodePoint.ReplaceAllString(src, lastCodePointAsTwo))
}

// Compile compiles a script. Errors are of type *SyntaxError.
func Compile(name, src string) (Script, error) { return compileWith(name, src, parseScript) }

// compileWith compiles what parse makes of the text.
func compileWith(name, src string, parse func(name, src string) (*ast.Program, error)) (s Script, err error) {
	if err := nesting.CheckScript(src); err != nil {
		return Script{}, &SyntaxError{Name: name, Message: fmt.Sprintf("%s: %v", name, err)}
	}
	s, panicked, err := tryCompile(name, src, parse)
	if panicked && lastCodePoint.MatchString(src) {
		s, _, err = tryCompile(name, lastCodePoint.ReplaceAllString(src, lastCodePointAsTwo), parse)
	}
	return s, err
}

func tryCompile(name, src string, parse func(name, src string) (*ast.Program, error)) (s Script, panicked bool, err error) {
	defer func() {
		if v := recover(); v != nil {
			panicked = true
			err = &SyntaxError{Name: name, Message: fmt.Sprintf("%s: the engine cannot parse this: %v", name, v)}
		}
	}()
	parsed, err := parse(name, src)
	if err != nil {
		return Script{}, false, &SyntaxError{Name: name, Message: cleanSyntax(err.Error())}
	}
	addMentions(parsed, src)
	prg, err := goja.CompileAST(parsed, false)
	if err != nil {
		return Script{}, false, &SyntaxError{Name: name, Message: cleanSyntax(err.Error())}
	}
	return Script{prg, src, declared(parsed)}, false, nil
}

func parseScript(name, src string) (*ast.Program, error) { return goja.Parse(name, src, noSourceMaps) }

// declared tells what a program declares with var.
func declared(prg *ast.Program) (names []string) {
	for _, declaration := range prg.DeclarationList {
		for _, binding := range declaration.List {
			if id, ok := binding.Target.(*ast.Identifier); ok {
				names = append(names, id.Name.String())
			}
		}
	}
	return names
}

// noSourceMaps keeps the engine from reading the file that a comment in the source names as its source map. Maps that are
// in the source itself are used.
var noSourceMaps = parser.WithSourceMapLoader(func(string) ([]byte, error) { return nil, nil })

var syntaxPrefix = regexp.MustCompile(`^(SyntaxError: )+`)

func cleanSyntax(s string) string { return syntaxPrefix.ReplaceAllString(s, "") }
