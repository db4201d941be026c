package gojaloop

import (
	"fmt"
	"regexp"

	"github.com/dop251/goja"
)

// A SyntaxError says that source text does not parse. It is the script's error, where the engine's parser panics too.
type SyntaxError struct {
	Name    string // of the source
	Message string // with the position
}

func (e *SyntaxError) Error() string { return "SyntaxError: " + e.Message }

// Compile parses a script, which may then be run by any number of runtimes. Errors are of type *[SyntaxError].
func Compile(name, src string) (*goja.Program, error) { return compile(name, src, false) }

// lastCodePoint is an escape that makes goja's parser panic. The same in two escapes does not.
var lastCodePoint = regexp.MustCompile(`\\u\{0*10[fF]{4}\}`)

const lastCodePointAsTwo = `\uDBFF\uDFFF`

func compile(name, src string, strict bool) (prg *goja.Program, err error) {
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
	if depth := nesting(src); depth > maxNesting {
		return nil, false, tooDeep(name, depth)
	}
	prg, err = goja.Compile(name, src, strict)
	if err != nil {
		return nil, false, &SyntaxError{Name: name, Message: cleanSyntax(err.Error())}
	}
	return prg, false, nil
}

func tooDeep(name string, depth int) error {
	return &SyntaxError{Name: name, Message: fmt.Sprintf("%s: brackets are nested %d deep, the limit is %d", name, depth, maxNesting)}
}

// maxNesting bounds brackets in source text. The engine's parser recurses without a limit of its own, and a Go stack
// that overflows ends the process.
const maxNesting = 5000

// nesting tells how deep brackets nest at most. It counts those in strings and comments as well.
func nesting(src string) int {
	depth, deepest := 0, 0
	for i := range len(src) {
		switch src[i] {
		case '(', '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ')', ']', '}':
			depth = max(depth-1, 0)
		}
	}
	return deepest
}

var (
	syntaxPrefix  = regexp.MustCompile(`^(SyntaxError: )+`)
	counterSuffix = regexp.MustCompile(`(:\d+:\d+)\(\d+\)`)
)

func cleanSyntax(s string) string { return syntaxPrefix.ReplaceAllString(s, "") }
