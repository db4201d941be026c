// Package nesting refuses source text that nests too deep for the parsers that read it next.
//
// The engine's parser and compiler, and esbuild's, recurse as deep as source text nests. They have no limit of their
// own, and a Go stack that overflows ends the process. So a parser with limits first parses any text that is long
// enough to nest too deep.
package nesting

import (
	"fmt"
	"path"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

const (
	// maxUnchecked is how many tokens an unchecked source may have. Each level takes at least one token. In any
	// construct it takes at most 2 KB of Go's stack in the engine, and 3 KB in esbuild. The stack has room for 512
	// MB. 32-bit machines have a quarter of that, and there a level takes half.
	maxUnchecked = 1 << 17 >> (^uint(0)>>63 ^ 1)

	// maxArrows is how deep arrow functions may nest in the parameters of arrow functions. The engine parses
	// parameters twice, so it parses the parameters nested in them four times, then eight times, and so on.
	maxArrows = 6

	// maxReparsed is how many bytes the engine may parse in all for that reason, before the depth is checked.
	maxReparsed = 4 << 20
)

// manyTokens reports whether a source may have more than maxUnchecked tokens. Strings and comments count as the
// tokens that they resemble.
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

// An Error says where a source nests too deep, or describes another fault of it.
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

// CheckScript returns an error for a script, or a module, that nests too deep for the engine. It leaves other faults
// of short ones to the engine.
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
		return nil // the engine reports the fault, and Go's stack has room
	case found.arrows > maxArrows:
		return &Error{Message: fmt.Sprintf("arrow functions nest %d deep in the parameters of arrow functions, the limit is %d: "+
			"put the inner ones into variables", found.arrows, maxArrows)}
	case long && found.unknown:
		// The engine goes on after an error, and then treats other text as nesting.
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

// sameComments breaks the comment markers that the engine does not know.
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
