// Package nesting refuses source text that nests too deep for the parsers that read it next.
//
// The engine's parser and compiler, and esbuild's, recurse as deep as source text nests, with no limit of their own, and
// a Go stack that overflows ends the process. So text that is long enough to nest that deep is parsed by a parser that
// has limits, first.
package nesting

import (
	"fmt"
	"path"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

const (
	// maxUnchecked is how many tokens a source may have and not be looked at. Each level takes a token at least, and of Go's
	// stack 2 KB at most in the engine and 3 KB in esbuild, whatever the construct. The stack has room for 512 MB; on
	// machines of 32 bits for a quarter of that, and there a level takes half.
	maxUnchecked = 1 << 17 >> (^uint(0)>>63 ^ 1)

	// maxArrows is how deep arrow functions may nest in the parameters of arrow functions: the engine parses parameters
	// twice, and what is nested in them four times, eight times, and so on.
	maxArrows = 6

	// maxReparsed is how many bytes the engine may parse in all for that reason, before anybody looks how deep they nest.
	maxReparsed = 4 << 20
)

// manyTokens reports whether a source may have more than maxUnchecked tokens. What looks like several in a string or a
// comment counts as several.
func manyTokens(src string) bool {
	if len(src) <= maxUnchecked {
		return false
	}
	tokens, inWord := 0, false
	for i := range len(src) {
		switch c := src[i]; {
		case c|0x20 >= 'a' && c|0x20 <= 'z', c >= '0' && c <= '9', c == '_', c == '$', c >= 0x80:
			if !inWord {
				tokens++
			}
			inWord = true
		case c <= ' ':
			inWord = false
		default:
			tokens++
			inWord = false
		}
	}
	return tokens > maxUnchecked
}

// ManyArrows reports whether the arrow functions of a source may nest in each other's parameters so deep that compiling
// it takes long, although it is short.
func ManyArrows(src string) bool {
	const most = 22 // 2²² is maxReparsed
	return len(src)<<min(strings.Count(src, "=>"), most) > maxReparsed
}

// An Error says where a source nests too deep, or what else is wrong with it.
type Error struct {
	Line, Column int // from 1; 0 when it is about the whole
	Message      string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Message
	}
	return fmt.Sprintf("Line %d:%d %s", e.Line, e.Column, e.Message)
}

// CheckScript returns an error for a script, or a module, that nests too deep for the engine. It leaves what else may be
// wrong with short ones to the engine.
func CheckScript(src string) error {
	long := manyTokens(src)
	if !long && !ManyArrows(src) {
		return nil
	}
	found, err := look(src)
	switch {
	case err != nil && long:
		return err
	case err != nil:
		return nil // the engine will say what is wrong, and Go's stack has room
	case found.arrows > maxArrows:
		return &Error{Message: fmt.Sprintf("arrow functions nest %d deep in the parameters of arrow functions, the limit is %d: "+
			"put the inner ones into variables", found.arrows, maxArrows)}
	case long && found.unknown:
		// The engine goes on after an error, and then nests what is no nesting.
		return &Error{Message: "import, export, for await and async generators are not for the engine to run: bundle the source for it"}
	}
	return nil
}

// CheckModule returns an error for a source that nests too deep for esbuild, by the extension of its name.
func CheckModule(name, src string) error {
	if !manyTokens(src) {
		return nil
	}
	switch path.Ext(name) {
	case ".json":
		if JSONDepth(src) > js.NestedExprLimit {
			return &Error{Message: "the JSON text nests too deep"}
		}
		return nil
	case ".js", ".cjs", ".mjs":
		if rest, ok := strings.CutPrefix(src, "#!"); ok {
			src = "//" + rest
		}
		_, err := look(src)
		return err
	}
	return &Error{Message: fmt.Sprintf("the source has more than %d tokens: split it, or compile it to JavaScript", maxUnchecked)}
}

// look parses a source.
func look(src string) (findings, error) {
	var found findings
	if strings.HasPrefix(src, "#!") {
		return found, &Error{1, 1, "Unexpected token ILLEGAL"} // to the engine that is no comment
	}
	ast, err := js.Parse(parse.NewInputString(sameComments.Replace(src)), js.Options{})
	if err != nil {
		e := position(err)
		if strings.HasPrefix(e.Message, "too many nested") {
			e.Message += ", or too many operands in one expression: in a source of this length there may be 1000; " +
				"put parts into variables or functions of their own, or split the source"
		}
		return found, e
	}
	js.Walk(nestedArrows{&found, 0}, ast)
	return found, nil
}

// sameComments takes the meaning of comments from what the engine does not know as comments.
var sameComments = strings.NewReplacer("<!--", "<! --", "-->", "-- >")

func position(err error) *Error {
	if e, ok := err.(*parse.Error); ok {
		return &Error{e.Line, e.Column, e.Message}
	}
	return &Error{Message: err.Error()}
}

// findings are about a whole source.
type findings struct {
	arrows  int  // how deep arrow functions nest in parameters of arrow functions
	unknown bool // there is syntax that the engine does not know
}

// nestedArrows looks for them below a node.
type nestedArrows struct {
	*findings
	depth int // of arrow functions in whose parameters this is
}

// Enter is called for each node.
func (v nestedArrows) Enter(n js.INode) js.IVisitor {
	switch n := n.(type) {
	case *js.ArrowFunc:
		inside := nestedArrows{v.findings, v.depth + 1}
		v.arrows = max(v.arrows, inside.depth)
		js.Walk(inside, &n.Params)
		js.Walk(v, &n.Body)
		return nil
	case *js.ForOfStmt:
		v.unknown = v.unknown || n.Await
	case *js.FuncDecl:
		v.unknown = v.unknown || n.Async && n.Generator
	case *js.MethodDecl:
		v.unknown = v.unknown || n.Async && n.Generator
	case *js.ImportStmt, *js.ExportStmt:
		v.unknown = true
	}
	return v
}

// Exit is called after a node.
func (v nestedArrows) Exit(js.INode) {}
