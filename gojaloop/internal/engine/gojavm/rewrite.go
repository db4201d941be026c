package gojavm

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"
)

// Scripts of the library are rewritten before they are compiled. They then call the engine's methods as they were before a
// script could replace them:
//
//	list.push(x)                 $m$push(list, x)           a dispatcher: see dispatch
//	Object.keys(x)               $s$Object$keys(x)
//	Object.prototype.toString    $p$Object$toString
//	const { apply } = Reflect    const { apply } = { apply: $s$Reflect$apply }
//	for (const x of list)        for (const x of $iterate(list))
//	f(...list), [...list]        f(...$iterate(list))
//	new Map(list)                $new$Map(list)             likewise Set; both are filled without the methods set and add
//	const [a, b] = list          const { 0: a, 1: b } = list
//
// The names with $ are parameters of the script. A pattern for an array has no rest in the library: a list is no iterator there.
// Members of an optional chain stay as they are.

// An inventory has the names of the engine's functions.
type inventory struct {
	methods    map[string][]string // the classes that have a method, by its name
	statics    map[string]bool     // such as Object.keys
	prototypes map[string]bool     // such as Object.toString, for Object.prototype.toString
}

// engineFunctions is what a fresh engine has. toString and valueOf of objects are theirs to define.
var engineFunctions = sync.OnceValue(func() *inventory {
	vm := goja.New()
	inv := &inventory{map[string][]string{}, map[string]bool{}, map[string]bool{}}
	functions := func(o *goja.Object) (names []string) {
		for _, name := range o.GetOwnPropertyNames() {
			if name == "constructor" || name == "caller" || name == "arguments" || name == "callee" || name == "prototype" {
				continue
			}
			var v goja.Value
			if vm.Try(func() { v = o.Get(name) }) != nil {
				continue // an accessor, which is for objects of the class
			}
			if _, is := goja.AssertFunction(v); is {
				names = append(names, name)
			}
		}
		return names
	}
	for _, name := range standard {
		o, ok := vm.Get(name).(*goja.Object)
		if !ok {
			continue
		}
		for _, static := range functions(o) {
			inv.statics[name+"."+static] = true
		}
		if p, ok := o.Get("prototype").(*goja.Object); ok {
			for _, method := range functions(p) {
				inv.prototypes[name+"."+method] = true
			}
		}
	}
	for _, class := range classes {
		for _, method := range functions(class.prototype(vm.Get)) {
			inv.methods[method] = append(inv.methods[method], class.name)
		}
	}
	return inv
})

// A rewriter changes the tree of a script.
type rewriter struct {
	declared map[string]bool // names of the script's own, at its top level
	chained  map[ast.Node]bool
	names    []string // of the parameters that it needs
	seen     map[any]bool
}

// rewrite rewrites a script, and returns the names of the functions that it needs.
func rewrite(program *ast.Program, declared map[string]bool) []string {
	r := &rewriter{declared: declared, chained: map[ast.Node]bool{}, seen: map[any]bool{}}
	r.walk(reflect.ValueOf(program))
	slices.Sort(r.names)
	return slices.Compact(r.names)
}

// name gives the identifier of a parameter, at a position of the source.
func (r *rewriter) name(at file.Idx, parts ...string) *ast.Identifier {
	name := "$" + strings.Join(parts, "$")
	r.names = append(r.names, name)
	return &ast.Identifier{Name: unistring.NewFromString(name), Idx: at}
}

var astPackage = reflect.TypeFor[ast.Program]().PkgPath()

// walk rewrites what a value of the tree holds. An interface is where one node takes the place of another.
func (r *rewriter) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		if n, ok := v.Interface().(ast.Node); ok && v.CanSet() {
			if changed := r.node(n); changed != nil {
				v.Set(reflect.ValueOf(changed))
			}
		}
		r.walk(v.Elem())
	case reflect.Pointer:
		if v.IsNil() || v.Elem().Kind() != reflect.Struct || v.Elem().Type().PkgPath() != astPackage || r.seen[v.Interface()] {
			return
		}
		r.seen[v.Interface()] = true
		r.inside(v.Interface())
		r.walk(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				r.walk(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			r.walk(v.Index(i))
		}
	}
}

// inside rewrites a node whose type stays.
func (r *rewriter) inside(n any) {
	switch n := n.(type) {
	case *ast.ForOfStatement:
		n.Source = r.iterate(n.Source)
	case *ast.ArrayLiteral:
		r.spread(n.Value)
	case *ast.CallExpression:
		r.spread(n.ArgumentList)
	case *ast.NewExpression:
		r.spread(n.ArgumentList)
	case *ast.Binding:
		r.binding(n)
	case *ast.AssignExpression:
		if d, ok := n.Left.(*ast.DotExpression); ok {
			r.chained[d] = true // a target, and not a value
		}
	case *ast.UnaryExpression:
		if d, ok := n.Operand.(*ast.DotExpression); ok && n.Operator == token.DELETE {
			r.chained[d] = true
		}
	case *ast.OptionalChain:
		r.chain(n.Expression)
	}
}

// chain marks the members of an optional chain.
func (r *rewriter) chain(n ast.Expression) {
	for {
		r.chained[n] = true
		switch e := n.(type) {
		case *ast.CallExpression:
			n = e.Callee
		case *ast.DotExpression:
			n = e.Left
		case *ast.BracketExpression:
			n = e.Left
		case *ast.PrivateDotExpression:
			n = e.Left
		default:
			return
		}
	}
}

// spread rewrites the elements with dots of a list.
func (r *rewriter) spread(list []ast.Expression) {
	for _, e := range list {
		if s, ok := e.(*ast.SpreadElement); ok {
			s.Expression = r.iterate(s.Expression)
		}
	}
}

func (r *rewriter) iterate(of ast.Expression) ast.Expression {
	return &ast.CallExpression{Callee: r.name(of.Idx0(), "iterate"), LeftParenthesis: of.Idx0(), ArgumentList: []ast.Expression{of}, RightParenthesis: of.Idx0()}
}

// binding rewrites const { apply } = Reflect, and const { add } = Set.prototype.
func (r *rewriter) binding(b *ast.Binding) {
	pattern, ok := b.Target.(*ast.ObjectPattern)
	if !ok {
		return
	}
	letter, known := "s", engineFunctions().statics
	from, ok := b.Initializer.(*ast.Identifier)
	if d, isDot := b.Initializer.(*ast.DotExpression); isDot && d.Identifier.Name == "prototype" {
		letter, known = "p", engineFunctions().prototypes
		from, ok = d.Left.(*ast.Identifier)
	}
	if !ok || r.declared[from.Name.String()] {
		return
	}
	made := &ast.ObjectLiteral{LeftBrace: from.Idx, RightBrace: from.Idx}
	for _, p := range pattern.Properties {
		key := ""
		switch p := p.(type) {
		case *ast.PropertyShort:
			key = p.Name.Name.String()
		case *ast.PropertyKeyed:
			if s, ok := p.Key.(*ast.StringLiteral); ok {
				key = s.Value.String()
			}
		}
		if !known[from.Name.String()+"."+key] {
			return
		}
		made.Value = append(made.Value, &ast.PropertyKeyed{
			Key: &ast.StringLiteral{Idx: from.Idx, Value: unistring.NewFromString(key)}, Kind: ast.PropertyKindValue, Value: r.name(from.Idx, letter, from.Name.String(), key),
		})
	}
	b.Initializer = made
}

// node returns what takes the place of a node, or nil.
func (r *rewriter) node(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.CallExpression:
		callee, ok := n.Callee.(*ast.DotExpression)
		if !ok || r.chained[n] {
			return nil
		}
		if static := r.static(callee); static != nil {
			n.Callee = static
			return nil
		}
		method := callee.Identifier.Name.String()
		if _, super := callee.Left.(*ast.SuperExpression); super || engineFunctions().methods[method] == nil {
			return nil
		}
		n.Callee, n.ArgumentList = r.name(callee.Identifier.Idx, "m", method), append([]ast.Expression{callee.Left}, n.ArgumentList...)
	case *ast.NewExpression:
		id, ok := n.Callee.(*ast.Identifier)
		if ok && len(n.ArgumentList) == 1 && (id.Name == "Map" || id.Name == "Set") && !r.declared[id.Name.String()] {
			return &ast.CallExpression{Callee: r.name(id.Idx, "new", id.Name.String()), LeftParenthesis: n.New, ArgumentList: n.ArgumentList, RightParenthesis: n.New}
		}
	case *ast.DotExpression:
		if static := r.static(n); static != nil {
			return static
		}
	case *ast.ArrayPattern:
		if n.Rest == nil {
			return objectPattern(n)
		}
	}
	return nil
}

// static returns the parameter for Object.keys, or for Object.prototype.toString, or nil.
func (r *rewriter) static(d *ast.DotExpression) ast.Expression {
	if r.chained[d] {
		return nil
	}
	member := d.Identifier.Name.String()
	switch left := d.Left.(type) {
	case *ast.Identifier:
		if name := left.Name.String(); !r.declared[name] && engineFunctions().statics[name+"."+member] {
			return r.name(left.Idx, "s", name, member)
		}
	case *ast.DotExpression:
		if id, ok := left.Left.(*ast.Identifier); ok && left.Identifier.Name == "prototype" && !r.declared[id.Name.String()] &&
			engineFunctions().prototypes[id.Name.String()+"."+member] {
			return r.name(id.Idx, "p", id.Name.String(), member)
		}
	}
	return nil
}

// objectPattern is a pattern for an array, as one for an object.
func objectPattern(n *ast.ArrayPattern) *ast.ObjectPattern {
	p := &ast.ObjectPattern{LeftBrace: n.LeftBracket, RightBrace: n.RightBracket}
	for i, element := range n.Elements {
		if element != nil {
			p.Properties = append(p.Properties, &ast.PropertyKeyed{
				Key: &ast.NumberLiteral{Idx: element.Idx0(), Value: int64(i)}, Kind: ast.PropertyKindValue, Value: element,
			})
		}
	}
	return p
}
