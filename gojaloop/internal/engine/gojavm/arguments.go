package gojavm

import (
	"reflect"
	"slices"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
)

// goja compiles `arguments` wrongly where a function mentions it in nothing but its arrow functions: it does not keep
// the object where they look for it, and they get something else, or the engine panics. A mention in the function itself
// that comes first puts it right. So that is what we add to such functions, as a statement of its own, in the parsed
// program: neither positions nor Function.prototype.toString show it.

// addMentions adds them to a program with this text.
func addMentions(prg *ast.Program, src string) {
	if !mayBorrow(src) {
		return
	}
	for _, body := range borrowers(prg) {
		i := directives(body)
		mention := &ast.ExpressionStatement{Expression: &ast.Identifier{Name: "arguments", Idx: body.LeftBrace}}
		body.List = slices.Insert(body.List, i, ast.Statement(mention))
	}
}

// mentionArguments does the same in source text, for modules, which the library of require compiles.
func mentionArguments(src string) string {
	const before, after = "(function(){", "\n})"
	if !mayBorrow(src) {
		return src
	}
	prg, err := goja.Parse("", before+src+after, noSourceMaps)
	if err != nil {
		return src // who compiles it will say so
	}
	var places []int
	for _, body := range borrowers(prg) {
		place := int(body.LeftBrace) // an index counts from 1, so this is behind the brace
		if i := directives(body); i > 0 {
			place = int(body.List[i-1].Idx1()) - 1
		}
		places = append(places, place-len(before))
	}
	slices.Sort(places)
	for _, at := range slices.Backward(places) {
		src = src[:at] + ";arguments;" + src[at:]
	}
	return src
}

// mayBorrow reports whether a text may have an arrow function that mentions arguments: most have not, and need no search.
func mayBorrow(src string) bool {
	return strings.Contains(src, "arguments") && strings.Contains(src, "=>")
}

// directives tells how many statements at the beginning of a function are directives, such as "use strict".
func directives(body *ast.BlockStatement) int {
	for i, s := range body.List {
		if e, ok := s.(*ast.ExpressionStatement); ok {
			if _, ok := e.Expression.(*ast.StringLiteral); ok {
				continue
			}
		}
		return i
	}
	return len(body.List)
}

// borrowers returns the bodies of functions whose arguments an arrow function mentions.
func borrowers(prg *ast.Program) []*ast.BlockStatement {
	var s borrowerSearch
	s.visit(reflect.ValueOf(prg.Body))
	return s.found
}

// maxDepth bounds the search in a tree as deep as that of 1+1+1+…, which Go's stack has to bear.
const maxDepth = 100_000

type borrowerSearch struct {
	function *ast.FunctionLiteral // the innermost that is no arrow function
	arrow    bool                 // we are in an arrow function of it
	mentions bool
	declares bool // arguments is a variable of the function's own, or a parameter
	depth    int
	found    []*ast.BlockStatement
}

var (
	declarations = reflect.TypeFor[[]*ast.VariableDeclaration]() // what hoisting found; it is in the body as well
	nodes        = reflect.TypeFor[ast.Node]()
)

func (s *borrowerSearch) visit(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			s.visit(v.Elem())
		}
	case reflect.Pointer:
		if !v.IsNil() && v.Type().Implements(nodes) {
			s.node(v)
		} else if !v.IsNil() && v.Elem().Kind() == reflect.Struct {
			s.fields(v.Elem())
		}
	case reflect.Struct:
		s.fields(v)
	case reflect.Slice:
		if v.Type() == declarations {
			return
		}
		for i := range v.Len() {
			s.visit(v.Index(i))
		}
	}
}

func (s *borrowerSearch) fields(v reflect.Value) {
	for i := range v.NumField() {
		s.visit(v.Field(i))
	}
}

func (s *borrowerSearch) node(v reflect.Value) {
	if s.depth == maxDepth {
		return
	}
	s.depth++
	defer func() { s.depth-- }()
	switch n := v.Interface().(type) {
	case *ast.FunctionLiteral:
		outer := *s
		*s = borrowerSearch{function: n, found: outer.found, depth: outer.depth}
		s.fields(v.Elem())
		if s.mentions && !s.declares {
			s.found = append(s.found, n.Body)
		}
		outer.found = s.found
		*s = outer
	case *ast.ArrowFunctionLiteral:
		outer := s.arrow
		s.arrow = true
		s.fields(v.Elem())
		s.arrow = outer
	case *ast.Binding:
		if id, ok := n.Target.(*ast.Identifier); ok && id.Name == "arguments" {
			s.declares = true
		}
		s.fields(v.Elem())
	case *ast.Identifier:
		if n.Name == "arguments" && s.arrow && s.function != nil {
			s.mentions = true
		}
	default:
		s.fields(v.Elem())
	}
}
