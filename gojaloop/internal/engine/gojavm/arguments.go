package gojavm

import (
	"reflect"
	"slices"
	"strings"

	"github.com/dop251/goja/ast"
)

// goja compiles `arguments` wrongly in a function that mentions it only in its arrow functions. It does not keep the
// object where they look for it. They get something else, or the engine panics. An earlier mention in the function
// itself prevents the fault. So we add one to such functions, as a statement of its own, in the parsed program.
// Positions and Function.prototype.toString do not show it.

// addMentions adds mentions to a program with this text.
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

// mayBorrow reports whether a text may have an arrow function that mentions arguments: most have not, and need no search.
func mayBorrow(src string) bool {
	return strings.Contains(src, "arguments") && strings.Contains(src, "=>")
}

// directives returns how many statements at the beginning of a function are directives, such as "use strict".
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
