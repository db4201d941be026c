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

// A Script is a compiled program with its text.
type Script struct {
	Program *goja.Program
	Source  string
}

// lastCodePoint is an escape that makes goja's parser panic. The same in two escapes does not.
var lastCodePoint = regexp.MustCompile(`\\u\{0*10[fF]{4}\}`)

const lastCodePointAsTwo = `\uDBFF\uDFFF`

// Compile compiles a script for runtimes with these globals. Errors are of type *SyntaxError.
func Compile(name, src string, globals *GlobalTable) (Script, error) {
	return compileWith(name, src, func(name, src string) (*ast.Program, error) {
		parsed, err := parseScript(name, src)
		if err == nil {
			keepDeclared(parsed, globals)
		}
		return parsed, err
	})
}

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
	if err := lowerLiterals(parsed, src); err != nil {
		return Script{}, false, &SyntaxError{Name: name, Message: err.Error()}
	}
	addMentions(parsed, src)
	prg, err := goja.CompileAST(parsed, false)
	if err != nil {
		return Script{}, false, &SyntaxError{Name: name, Message: cleanSyntax(err.Error())}
	}
	return Script{prg, src}, false, nil
}

func parseScript(name, src string) (*ast.Program, error) { return goja.Parse(name, src, noSourceMaps) }

// noSourceMaps keeps the engine from reading the file that a comment in the source names as its source map. Maps that are
// in the source itself are used.
var noSourceMaps = parser.WithSourceMapLoader(func(string) ([]byte, error) { return nil, nil })

var syntaxPrefix = regexp.MustCompile(`^(SyntaxError: )+`)

func cleanSyntax(s string) string { return syntaxPrefix.ReplaceAllString(s, "") }
