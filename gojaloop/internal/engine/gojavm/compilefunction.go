package gojavm

import (
	"fmt"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"
	"github.com/dop251/goja/unistring"
)

// CompileFunction compiles the body of a function with these parameters: the value of the program is that function.
func CompileFunction(name, src string, parameters ...string) (*goja.Program, error) {
	return compileFunction(name, src, parameters, noSourceMaps)
}

// CompileModule is CompileFunction with the parameters of a module of Node's. It reads source maps by a function.
func CompileModule(name, src string, maps func(path string) ([]byte, error)) (*goja.Program, error) {
	return compileFunction(name, src, []string{"exports", "require", "module", "__filename", "__dirname"}, parser.WithSourceMapLoader(maps))
}

func compileFunction(name, src string, parameters []string, maps parser.Option) (*goja.Program, error) {
	s, err := compileWith(name, src, func(name, src string) (*ast.Program, error) {
		return parseFunction(name, src, parameters, maps)
	})
	return s.Program, err
}

// parseFunction parses the body as a script, and puts a function around the parsed program. A body that only a function
// may have, such as one with a return statement, is parsed inside a function instead. Its columns in the first line are then too high.
func parseFunction(name, src string, parameters []string, maps parser.Option) (*ast.Program, error) {
	text := fmt.Sprintf("(function (%s) {%s\n})", strings.Join(parameters, ", "), src)
	body, err := goja.Parse(name, src, maps)
	if err != nil {
		prg, err := goja.Parse(name, text, maps)
		if err == nil && !isFunction(prg) {
			err = fmt.Errorf("%s: the text is not the body of a function: its braces end it", name)
		}
		return prg, err
	}
	const begin = file.Idx(1)
	end := file.Idx(len(src) + 1)
	list := &ast.ParameterList{Opening: begin, Closing: begin}
	for _, p := range parameters {
		list.List = append(list.List, &ast.Binding{Target: &ast.Identifier{Name: unistring.NewFromString(p), Idx: begin}})
	}
	function := &ast.FunctionLiteral{
		Function: begin, ParameterList: list, Source: text[1 : len(text)-1], DeclarationList: body.DeclarationList,
		Body: &ast.BlockStatement{LeftBrace: begin, List: body.Body, RightBrace: end},
	}
	return &ast.Program{Body: []ast.Statement{&ast.ExpressionStatement{Expression: function}}, File: body.File}, nil
}

// isFunction reports whether a program is a function and nothing else.
func isFunction(prg *ast.Program) bool {
	if len(prg.Body) != 1 {
		return false
	}
	statement, ok := prg.Body[0].(*ast.ExpressionStatement)
	if !ok {
		return false
	}
	_, ok = statement.Expression.(*ast.FunctionLiteral)
	return ok
}
