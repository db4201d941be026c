package gojavm

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// Some of the engine's methods look for others by name: methods of arrays for the constructor and its species, those of strings
// and of regular expressions for exec and the flags. When a script has changed these, the library does the work itself.

// matching has what the engine's regular expressions are made of.
type matching struct {
	proto   *goja.Object
	exec    goja.Callable
	global  goja.Callable            // the accessor
	symbols map[string]goja.Callable // of the methods of strings with an expression
	kept    map[string]goja.Value    // the same
}

var regexpSymbols = map[string]*goja.Symbol{
	"match": goja.SymMatch, "matchAll": goja.SymMatchAll, "replace": goja.SymReplace, "replaceAll": goja.SymReplace, "search": goja.SymSearch, "split": goja.SymSplit,
}

// species are the methods of arrays that ask for the constructor of the array that they make.
var species = []string{"concat", "filter", "flat", "flatMap", "map", "slice", "splice"}

func (vm *VM) keepMatching() {
	m := &vm.primordials.matching
	m.proto = vm.prototypeOf("RegExp")
	m.exec, _ = goja.AssertFunction(m.proto.Get("exec"))
	descriptor, _ := goja.AssertFunction(vm.original("$s$Object$getOwnPropertyDescriptor"))
	m.global, _ = goja.AssertFunction(must(descriptor(goja.Undefined(), m.proto, vm.ToValue("global"))).(*goja.Object).Get("get"))
	m.symbols, m.kept = map[string]goja.Callable{}, map[string]goja.Value{}
	for name, symbol := range regexpSymbols {
		m.kept[name] = m.proto.GetSymbol(symbol)
		m.symbols[name], _ = goja.AssertFunction(m.kept[name])
	}
	vm.primordials.walking.species = vm.original("Array").(*goja.Object)
}

// withoutScript does the work of a method itself if the engine's would call a script's function. Otherwise it returns nil.
func (vm *VM) withoutScript(method string, this goja.Value, args []goja.Value) goja.Value {
	switch vm.classOf(this) {
	case "Array":
		if slices.Contains(species, method) && !vm.arraysOfArrays() {
			return vm.ofArray(method, this.(*goja.Object), args)
		}
	case "RegExp":
		if method == "test" && !vm.standardRegExp(this) {
			return vm.ToValue(!goja.IsNull(must(vm.primordials.matching.exec(this, args...))))
		}
	case "String":
		m := &vm.primordials.matching
		symbol, ok := m.symbols[method]
		if !ok || len(args) == 0 || vm.classOf(args[0]) != "RegExp" {
			return nil
		}
		if vm.standardRegExp(args[0]) {
			return must(symbol(args[0], append([]goja.Value{this}, args[1:]...)...))
		}
		return vm.withExpression(method, this.(goja.String), args[0].(*goja.Object), args[1:])
	}
	return nil
}

// standardRegExp reports whether an expression has all that the engine gives it.
func (vm *VM) standardRegExp(v goja.Value) bool {
	m := &vm.primordials.matching
	if TypeName(m.proto) != "guardedObject" || v.(*goja.Object).Prototype() != m.proto { // the engine watches its prototype
		return false
	}
	for name, symbol := range regexpSymbols {
		if !m.kept[name].SameAs(look(vm, m.proto.GetSymbol, symbol)) {
			return false
		}
	}
	return true
}

// arraysOfArrays reports whether the arrays that methods of arrays make are arrays.
func (vm *VM) arraysOfArrays() bool {
	array, proto := vm.primordials.walking.species, vm.prototypeOf("Array")
	return array.SameAs(look(vm, proto.Get, "constructor")) && array.SameAs(look(vm, array.GetSymbol, goja.SymSpecies))
}

// items are the elements of an array.
func items(list *goja.Object) []any {
	all := make([]any, list.Get("length").ToInteger())
	for i := range all {
		all[i] = Get(list, strconv.Itoa(i))
	}
	return all
}

func (vm *VM) ofArray(method string, list *goja.Object, args []goja.Value) goja.Value {
	all := items(list)
	at := func(i int, otherwise int) int {
		if i >= len(args) || goja.IsUndefined(args[i]) {
			return otherwise
		}
		n := int(max(-int64(len(all)), min(args[i].ToInteger(), int64(len(all)))))
		if n < 0 {
			n += len(all)
		}
		return n
	}
	var made []any
	each := func(use func(v any, result goja.Value)) {
		fn, _ := goja.AssertFunction(args[0])
		for i, v := range all {
			use(v, must(fn(goja.Undefined(), v.(goja.Value), vm.ToValue(i), list)))
		}
	}
	flatten := func(v goja.Value) {
		if o, ok := v.(*goja.Object); ok && vm.classOf(o) == "Array" {
			made = append(made, items(o)...)
		} else {
			made = append(made, v)
		}
	}
	switch method {
	case "slice":
		from, to := at(0, 0), at(1, len(all))
		made = all[from:max(from, to)]
	case "map":
		each(func(_ any, result goja.Value) { made = append(made, result) })
	case "filter":
		each(func(v any, result goja.Value) {
			if result.ToBoolean() {
				made = append(made, v)
			}
		})
	case "flatMap":
		each(func(_ any, result goja.Value) { flatten(result) })
	case "flat": // one level: the library needs no more
		for _, v := range all {
			flatten(v.(goja.Value))
		}
	case "concat":
		made = all
		for _, v := range args {
			flatten(v)
		}
	case "splice":
		from := at(0, 0)
		count := len(all) - from
		if len(args) > 1 {
			count = int(max(0, min(args[1].ToInteger(), int64(count))))
		}
		made = append(made, all[from:from+count]...)
		rest := append([]any(nil), all[from+count:]...)
		for i, v := range args[min(2, len(args)):] {
			all = append(all[:from+i], v)
		}
		all = append(all[:from+max(0, len(args)-2)], rest...)
		_ = list.Set("length", 0)
		for i, v := range all {
			_ = list.DefineDataProperty(strconv.Itoa(i), v.(goja.Value), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
		}
	}
	return vm.NewArray(made...)
}

// withExpression is a method of strings with a regular expression, by the original exec alone.
func (vm *VM) withExpression(method string, s goja.String, re *goja.Object, args []goja.Value) goja.Value {
	m := &vm.primordials.matching
	global := must(m.global(re)).ToBoolean()
	before := re.Get("lastIndex")
	_ = re.Set("lastIndex", 0)
	var found []*goja.Object
	bounds := func(match *goja.Object) (from, to int) {
		from = int(match.Get("index").ToInteger())
		return from, from + match.Get("0").(goja.String).Length()
	}
	// Without the flag g the rest of the string is matched again.
	for left, past := s, 0; ; {
		match, ok := must(m.exec(re, left)).(*goja.Object)
		if !ok {
			break
		}
		from, to := bounds(match)
		vm.SetOwn(match, "index", past+from)
		found = append(found, match)
		if !global && (method == "replace" || method == "match" || method == "search") {
			break
		}
		if global {
			if from == to {
				_ = re.Set("lastIndex", to+1)
			}
			continue
		}
		if from == to {
			to++
		}
		if to > left.Length() {
			break
		}
		left, past = left.Substring(to, left.Length()), past+to
	}
	_ = re.Set("lastIndex", before)
	switch method {
	case "search":
		if len(found) == 0 {
			return vm.ToValue(-1)
		}
		return found[0].Get("index")
	case "match":
		if len(found) == 0 {
			return goja.Null()
		}
		if !global {
			return found[0]
		}
		var texts []any
		for _, match := range found {
			texts = append(texts, match.Get("0"))
		}
		return vm.NewArray(texts...)
	case "matchAll":
		i := 0
		return vm.iterator(func() (goja.Value, bool) {
			if i >= len(found) {
				return goja.Undefined(), false
			}
			i++
			return found[i-1], true
		})
	case "split":
		var parts []any
		last := 0
		for _, match := range found {
			from, to := bounds(match)
			if to == from && (from == 0 || from >= s.Length()) || to == last {
				continue
			}
			parts = append(parts, s.Substring(last, from))
			parts = append(parts, items(match)[1:]...)
			last = to
		}
		return vm.NewArray(append(parts, s.Substring(last, s.Length()))...)
	}
	var text goja.StringBuilder
	last := 0
	for _, match := range found {
		from, to := bounds(match)
		text.WriteSubstring(s, last, from)
		text.WriteString(vm.replacement(match, s, from, to, args[0]))
		last = to
	}
	text.WriteSubstring(s, last, s.Length())
	return text.String()
}

// replacement is what a match becomes.
func (vm *VM) replacement(match *goja.Object, s goja.String, from, to int, with goja.Value) goja.String {
	if fn, ok := goja.AssertFunction(with); ok {
		var args []goja.Value
		for _, v := range items(match) {
			args = append(args, v.(goja.Value))
		}
		return must(fn(goja.Undefined(), append(args, vm.ToValue(from), s)...)).ToString().(goja.String)
	}
	template := with.String()
	var text goja.StringBuilder
	for {
		before, after, ok := strings.Cut(template, "$")
		text.WriteUTF8String(before)
		if !ok || after == "" {
			if ok {
				text.WriteUTF8String("$")
			}
			return text.String()
		}
		template = after[1:]
		switch c := after[0]; {
		case c == '$':
			text.WriteUTF8String("$")
		case c == '&':
			text.WriteSubstring(s, from, to)
		case c == '`':
			text.WriteSubstring(s, 0, from)
		case c == '\'':
			text.WriteSubstring(s, to, s.Length())
		case c >= '1' && c <= '9':
			if v := Get(match, string(c)); !goja.IsUndefined(v) {
				text.WriteString(v.ToString().(goja.String))
			}
		default:
			text.WriteUTF8String("$" + string(c))
		}
	}
}
