package gojavm

import (
	"slices"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/unistring"
)

// A global is made when a script first asks for it. Until then `var` would declare a new variable of its name, which hides it:
// in ECMA-262 a var leaves an existing global as it is. So a script begins with a call that makes the globals it declares. Its
// callee has a name that no script can write, and lazyGlobals finds it.

// makeDeclared is the callee's name.
const makeDeclared = "\x00makeDeclared"

// keepDeclared puts the call into a script that declares globals with var.
func keepDeclared(prg *ast.Program, globals *GlobalTable) {
	var names []ast.Expression
	for _, declaration := range prg.DeclarationList {
		for _, binding := range declaration.List {
			if id, ok := binding.Target.(*ast.Identifier); ok && globals.Has(id.Name.String()) {
				names = append(names, &ast.StringLiteral{Idx: 1, Value: id.Name})
			}
		}
	}
	if len(names) == 0 {
		return
	}
	call := &ast.CallExpression{Callee: &ast.Identifier{Name: unistring.String(makeDeclared), Idx: 1}, ArgumentList: names}
	at := directives(&ast.BlockStatement{List: prg.Body})
	prg.Body = slices.Insert(prg.Body, at, ast.Statement(&ast.ExpressionStatement{Expression: call}))
}

// makeDeclared returns the callee. The engine has declared the names by now, as undefined.
func (vm *VM) makeDeclared() goja.Value {
	return vm.ToValue(func(call goja.FunctionCall) goja.Value {
		for _, name := range call.Arguments {
			i, ours := vm.globals.index[name.String()]
			if ours && vm.offers(i) && goja.IsUndefined(vm.GlobalObject().Get(name.String())) {
				vm.globals.made[i] = true
				_ = vm.GlobalObject().Set(name.String(), vm.madeBy(i)) // a variable, which cannot be defined anew
			}
		}
		return goja.Undefined()
	})
}
