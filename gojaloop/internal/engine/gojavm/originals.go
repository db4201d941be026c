package gojavm

import (
	"regexp"
	"slices"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
)

// standard are the globals of ECMA-262 that scripts of the library name.
var standard = strings.Fields("Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError Float32Array " +
	"Float64Array Function Int16Array Int32Array Int8Array JSON Map Math Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set " +
	"String Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet " +
	"decodeURIComponent encodeURIComponent isFinite isNaN parseFloat parseInt")

// found are our globals that they find by name.
var found = []string{"queueMicrotask", "setImmediate"}

var word = regexp.MustCompile(`[A-Za-z_$][\w$]*`)

// globalsIn returns the standard globals that a script of the library names and does not declare at its top level.
func globalsIn(src string) (names []string) {
	declared := topLevel("(function() {" + src + "\n})")
	mentioned := make(map[string]bool)
	for _, name := range word.FindAllString(src, -1) {
		mentioned[name] = true
	}
	for _, name := range slices.Concat(standard, found) {
		if mentioned[name] && !declared[name] {
			names = append(names, name)
		}
	}
	return names
}

// topLevel returns the names that the body of a function declares.
func topLevel(function string) map[string]bool {
	names := make(map[string]bool)
	parsed, err := goja.Parse("", function, noSourceMaps)
	if err != nil {
		panic(err) // of the library's script
	}
	body := parsed.Body[0].(*ast.ExpressionStatement).Expression.(*ast.FunctionLiteral).Body
	for _, s := range body.List {
		switch s := s.(type) {
		case *ast.LexicalDeclaration:
			bound(names, s.List)
		case *ast.VariableStatement:
			bound(names, s.List)
		case *ast.ClassDeclaration:
			names[s.Class.Name.Name.String()] = true
		case *ast.FunctionDeclaration:
			names[s.Function.Name.Name.String()] = true
		}
	}
	return names
}

func bound(names map[string]bool, list []*ast.Binding) {
	for _, b := range list {
		target(names, b.Target)
	}
}

func target(names map[string]bool, e ast.Expression) {
	switch e := e.(type) {
	case *ast.Identifier:
		names[e.Name.String()] = true
	case *ast.AssignExpression: // with a default
		target(names, e.Left)
	case *ast.ArrayPattern:
		for _, each := range e.Elements {
			target(names, each)
		}
	case *ast.ObjectPattern:
		for _, p := range e.Properties {
			switch p := p.(type) {
			case *ast.PropertyShort:
				names[p.Name.Name.String()] = true
			case *ast.PropertyKeyed:
				target(names, p.Value)
			}
		}
	}
}

// keepOriginals keeps the globals of ECMA-262 that a script is about to reach. Scripts of the library that run later
// use them, because the script may replace the globals. A script that makes up a name at run time evades this, and
// the library then works with its replacement. The library's Go code checks its results at that place.
func (vm *VM) keepOriginals(src string) {
	for i, name := range standard {
		if vm.originals[i] == nil && strings.Contains(src, name) {
			vm.keepOriginal(i)
		}
	}
	if !vm.primordials.complete && slices.ContainsFunc(reaching, func(word string) bool { return strings.Contains(src, word) }) {
		vm.KeepPrimordials()
	}
}

func (vm *VM) keepOriginal(i int) goja.Value {
	if vm.originals[i] == nil {
		vm.originals[i] = Get(vm.GlobalObject(), standard[i])
		for _, name := range staticNames()[standard[i]] {
			vm.primordial(name)
		}
	}
	return vm.originals[i]
}

// original returns a parameter of a library's script: a global, or a function of the engine, as it was before a script could change it.
func (vm *VM) original(name string) goja.Value {
	if name[0] == '$' {
		return vm.primordial(name)
	}
	if i, ours := vm.globals.index[name]; ours {
		return vm.madeBy(i)
	}
	return vm.keepOriginal(slices.Index(standard, name))
}

// madeBy makes a global for the library, even if the script has replaced it.
func (vm *VM) madeBy(i int) goja.Value {
	g := &vm.globals
	if g.own == nil {
		g.own = make([]goja.Value, len(g.all))
	}
	if g.own[i] == nil {
		g.own[i] = vm.host.MakeGlobal(i)
	}
	return g.own[i]
}
