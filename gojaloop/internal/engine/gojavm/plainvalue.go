package gojavm

import (
	"reflect"
	"sync"

	"github.com/dop251/goja"
	"github.com/dop251/goja/unistring"
)

// This file reads values without running a script. The engine's way to read a property calls getters. So this file
// reads the fields in which the engine keeps properties, as KindOf does. An engine without such fields has no plain
// values, and the library's scripts do all the work.

// A storage is where the properties of one of the engine's types of objects are.
type storage struct {
	name                     string
	names, symbols, elements []int
	first, key, value, next  []int // of the symbols' list and its entries
	templated                bool  // missing properties are made on demand
}

// storages has a storage for each type met so far. A VM has its own, so that no lock is needed.
type storages map[reflect.Type]*storage

// of returns the engine's struct of an object, and where its properties are: nil for an engine without these fields.
func (s *storages) of(obj *goja.Object) (reflect.Value, *storage) {
	if objectSelf == nil {
		return reflect.Value{}, nil
	}
	self := reflect.ValueOf(obj).Elem().FieldByIndex(objectSelf).Elem()
	if self.Kind() != reflect.Pointer || self.Type().Elem().Kind() != reflect.Struct {
		return reflect.Value{}, nil
	}
	self = self.Elem()
	at, ok := (*s)[self.Type()]
	if !ok {
		if *s == nil {
			*s = make(storages)
		}
		at = storageOf(self.Type())
		(*s)[self.Type()] = at
	}
	return self, at
}

func storageOf(t reflect.Type) *storage {
	s := &storage{name: t.Name()}
	base, path := t, []int(nil)
	if s.name != "baseObject" {
		field, ok := t.FieldByName("baseObject")
		if !ok {
			return nil
		}
		base, path = field.Type, field.Index
	}
	under := func(name string, kind reflect.Kind) []int {
		field, ok := base.FieldByName(name)
		if !ok || field.Type.Kind() != kind {
			return nil
		}
		return append(append([]int(nil), path...), field.Index...)
	}
	s.names, s.symbols = under("values", reflect.Map), under("symValues", reflect.Pointer)
	if s.names == nil || s.symbols == nil || t.FieldByIndex(s.names).Type.Key() != reflect.TypeFor[unistring.String]() {
		return nil
	}
	list := t.FieldByIndex(s.symbols).Type.Elem()
	var entry reflect.Type
	s.first, entry = fieldOf(list, "iterFirst", reflect.Pointer)
	if s.first == nil {
		return nil
	}
	s.key, _ = fieldOf(entry.Elem(), "key", reflect.Interface)
	s.value, _ = fieldOf(entry.Elem(), "value", reflect.Interface)
	s.next, _ = fieldOf(entry.Elem(), "iterNext", reflect.Pointer)
	if s.key == nil || s.value == nil || s.next == nil {
		return nil
	}
	if field, ok := t.FieldByName("values"); ok && s.name == "arrayObject" && field.Type.Kind() == reflect.Slice {
		s.elements = field.Index
	}
	_, s.templated = t.FieldByName("tmpl")
	return s
}

// fieldOf finds a field of a struct, if it is of this kind.
func fieldOf(t reflect.Type, name string, kind reflect.Kind) ([]int, reflect.Type) {
	if t.Kind() != reflect.Struct {
		return nil, nil
	}
	field, ok := t.FieldByName(name)
	if !ok || field.Type.Kind() != kind {
		return nil, nil
	}
	return field.Index, field.Type
}

// property describes the engine's type of a property with attributes: accessor is its field for having a getter or
// setter, and value its field for the value.
var property = sync.OnceValue(func() (p struct {
	reflect.Type
	accessor, value []int
}) {
	var s storages
	array, at := s.of(goja.New().NewArray())
	if at == nil {
		return p
	}
	length := array.FieldByIndex(at.names).MapIndex(propertyName("length"))
	if !length.IsValid() || length.Elem().Kind() != reflect.Pointer || length.Elem().Type().Elem().Kind() != reflect.Struct {
		return p
	}
	t := length.Elem().Type()
	p.accessor, _ = fieldOf(t.Elem(), "accessor", reflect.Bool)
	p.value, _ = fieldOf(t.Elem(), "value", reflect.Interface)
	if p.accessor != nil && p.value != nil {
		p.Type = t
	}
	return p
})

// stored reports whether the engine's record of a property is a value, and not a getter, a setter or nothing.
func stored(v reflect.Value) bool {
	if v.Kind() != reflect.Interface || v.IsNil() {
		return false
	}
	known, p := property(), v.Elem()
	return known.Type != nil && (p.Type() != known.Type || !p.Elem().FieldByIndex(known.accessor).Bool())
}

// content returns the value in the engine's record of a property. It is not valid for a property without a value.
func content(v reflect.Value) reflect.Value {
	if !v.IsValid() || !stored(v) {
		return reflect.Value{}
	}
	v = v.Elem()
	if known := property(); v.Type() == known.Type {
		v = v.Elem().FieldByIndex(known.value).Elem()
	}
	return v
}

// propertyName is a name as the engine keeps it, if it is of ASCII; others are not found.
func propertyName(name string) reflect.Value { return reflect.ValueOf(unistring.String(name)) }

// slot returns the engine's record of an own property. It is not valid for a missing property.
func (s *storages) slot(obj *goja.Object, name reflect.Value) reflect.Value {
	self, at := s.of(obj)
	if at == nil {
		return reflect.Value{}
	}
	return self.FieldByIndex(at.names).MapIndex(name)
}

// data returns a property that an object has of its own, if that is a value.
func (s *storages) data(obj *goja.Object, name string) goja.Value {
	self, at := s.of(obj)
	if at == nil {
		return nil
	}
	names := self.FieldByIndex(at.names)
	v := names.MapIndex(propertyName(name))
	if v.IsValid() && !stored(v) || !v.IsValid() && !at.templated {
		return nil
	}
	return obj.Get(name)
}

// allData reports whether all own properties with these names are values.
func (s *storages) allData(obj *goja.Object, names []string) bool {
	self, at := s.of(obj)
	if at == nil {
		return false
	}
	values := self.FieldByIndex(at.names)
	for _, name := range names {
		if v := values.MapIndex(propertyName(name)); !v.IsValid() || !stored(v) {
			return false
		}
	}
	return true
}

// has reports whether an object has an own property, of any kind.
func (s *storages) has(obj *goja.Object, name string) bool {
	return s.slot(obj, propertyName(name)).IsValid()
}

// onlySymbols reports whether an object has no other symbols as keys than these, and that its tag, if any, is tag.
func (s *storages) onlySymbols(obj *goja.Object, tag string, allowed ...*goja.Symbol) bool {
	self, at := s.of(obj)
	if at == nil {
		return false
	}
	symbols := self.FieldByIndex(at.symbols)
	if symbols.IsNil() {
		return true // or the engine's own, unchanged
	}
entries:
	for entry := symbols.Elem().FieldByIndex(at.first); !entry.IsNil(); entry = entry.Elem().FieldByIndex(at.next) {
		key := entry.Elem().FieldByIndex(at.key)
		if key.IsNil() || key.Elem().Kind() != reflect.Pointer {
			return false
		}
		for _, symbol := range allowed {
			if key.Elem().Pointer() != reflect.ValueOf(symbol).Pointer() {
				continue
			}
			if symbol == goja.SymToStringTag && !isText(entry.Elem().FieldByIndex(at.value), tag) {
				return false
			}
			continue entries
		}
		return false
	}
	return true
}

// isText reports whether the engine's record of a property is a string of ASCII, and this one.
func isText(v reflect.Value, text string) bool {
	v = content(v)
	return v.Kind() == reflect.String && v.String() == text
}

var constructorKey, nameKey = propertyName("constructor"), propertyName("name")

// holdsText reports whether a property of an object's own is a string of ASCII, and this one, and holdsObject whether it is this
// object.
func (s *storages) holdsText(obj *goja.Object, name reflect.Value, text string) bool {
	return isText(s.slot(obj, name), text)
}

func (s *storages) holdsObject(obj *goja.Object, name reflect.Value, value *goja.Object) bool {
	v := content(s.slot(obj, name))
	return v.Kind() == reflect.Pointer && v.Pointer() == reflect.ValueOf(value).Pointer()
}

// elementsOf reports how long an array is, and whether it has no holes, no other properties and, up to a limit, no getters.
func (s *storages) elementsOf(obj *goja.Object, limit int) (length int, ok bool) {
	self, at := s.of(obj)
	if at == nil || at.elements == nil {
		return 0, false
	}
	elements := self.FieldByIndex(at.elements)
	length = int(obj.Get("length").ToInteger())
	if elements.Len() != length || self.FieldByIndex(at.names).Len() > 1 { // of which one is the length
		return 0, false
	}
	for i := 0; i < min(length, limit); i++ {
		if !stored(elements.Index(i)) {
			return 0, false
		}
	}
	return length, true
}

// A mapEntry is one of a map, or of a set, whose key is the value.
type mapEntry struct{ key, value goja.Value }

// A collector receives the entries of maps and sets. Making a function for each of them takes as long as copying a
// small one.
type collector struct {
	callback goja.Value
	entries  []mapEntry
}

// entries returns the entries of a map or a set, by the forEach of its class. It is nil only if an interrupt or that
// function failed.
func (vm *VM) entries(obj *goja.Object, each goja.Callable) (entries []mapEntry, ok bool) {
	c := &vm.collector
	if c.callback == nil {
		c.callback = vm.ToValue(func(call goja.FunctionCall) goja.Value {
			c.entries = append(c.entries, mapEntry{key: call.Argument(1), value: call.Argument(0)})
			if len(c.entries)%stepsPerInterrupt == 0 && vm.Interrupting() {
				panic(new(goja.InterruptedError))
			}
			return goja.Undefined()
		})
	}
	outer := c.entries // a forEach that is a script's may come here again
	c.entries = []mapEntry{}
	_, err := each(obj, c.callback)
	entries, c.entries = c.entries, outer
	return entries, err == nil
}
