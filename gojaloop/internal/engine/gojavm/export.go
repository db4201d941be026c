package gojavm

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"

	"github.com/dop251/goja"
)

// The limits for a script's value that Go code gets. The engine's own export recurses, so a deeply nested value would
// overflow Go's stack. It also allocates all elements that an array's length announces.
const (
	maxExportDepth  = 10_000
	maxExportValues = 4 << 20
)

// ErrTooDeep says that a script's value is nested too deep for Go code.
var ErrTooDeep = fmt.Errorf("gojaloop: the value is nested more than %d deep", maxExportDepth)

// ErrTooLarge says that a value of a script has too many elements for Go to get it.
var ErrTooLarge = fmt.Errorf("gojaloop: the value has more than %d elements", maxExportValues)

// An exporter makes Go's form of a value, the one that [goja.Value.Export] makes, within limits. Bytes are copied.
type exporter struct {
	vm   *goja.Runtime
	made map[*goja.Object]any
	left int // elements
	err  error
}

// Export gives Go's form of a value. It is called inside a callback: getters of the value run.
//
// Errors: [ErrTooDeep], [ErrTooLarge], *[goja.Exception] of a getter.
func Export(vm *goja.Runtime, v goja.Value) (result any, err error) {
	obj, ok := v.(*goja.Object)
	switch {
	case v == nil:
		return nil, nil
	case !ok:
		return v.Export(), nil
	}
	x := exporter{vm: vm, left: maxExportValues}
	if ex := vm.Try(func() { result = x.object(obj, 1) }); x.err != nil {
		return nil, x.err
	} else if ex != nil {
		return nil, ex
	}
	return result, nil
}

var (
	exportedObject = reflect.TypeFor[map[string]any]()
	exportedArray  = reflect.TypeFor[[]any]()
)

func (x *exporter) value(v goja.Value, depth int) any {
	obj, ok := v.(*goja.Object)
	switch {
	case v == nil:
		return nil
	case !ok:
		return v.Export()
	}
	return x.object(obj, depth+1)
}

func (x *exporter) object(obj *goja.Object, depth int) any {
	if done, ok := x.made[obj]; ok {
		return done
	}
	if depth > maxExportDepth {
		x.fail(ErrTooDeep)
	}
	switch kind := KindOf(obj); {
	case HoldsGoValue(obj):
		return obj.Export()
	case kind == "Map":
		return x.mapEntries(obj, depth)
	case kind == "Set":
		return x.setElements(obj, depth)
	case kind == "Arguments", obj.ExportType() == exportedArray:
		return x.array(obj, depth)
	case obj.ExportType() == exportedObject:
		return x.properties(obj, depth)
	}
	return x.leaf(obj.Export())
}

// leaf copies bytes, which the script may go on to change.
func (x *exporter) leaf(v any) any {
	if b, ok := v.(goja.ArrayBuffer); ok {
		if b.Detached() {
			return b
		}
		return x.vm.NewArrayBuffer(bytes.Clone(b.Bytes()))
	}
	if s := reflect.ValueOf(v); s.Kind() == reflect.Slice {
		return reflect.AppendSlice(reflect.MakeSlice(s.Type(), 0, s.Len()), s).Interface()
	}
	return v
}

func (x *exporter) properties(obj *goja.Object, depth int) any {
	keys := obj.Keys()
	x.take(len(keys))
	m := make(map[string]any, len(keys))
	x.keep(obj, m)
	for _, key := range keys {
		m[key] = x.value(obj.Get(key), depth)
	}
	return m
}

func (x *exporter) array(obj *goja.Object, depth int) any {
	n := Get(obj, "length").ToInteger() // for array-like objects, too
	if n < 0 || n > int64(x.left) {
		x.fail(ErrTooLarge)
	}
	x.take(int(n))
	a := make([]any, n)
	x.keep(obj, a)
	for i := range a {
		a[i] = x.value(obj.Get(strconv.Itoa(i)), depth)
	}
	return a
}

func (x *exporter) mapEntries(obj *goja.Object, depth int) any {
	entries := [][2]any{}
	x.forEach(obj, func(value, key goja.Value) {
		entries = append(entries, [2]any{x.value(key, depth), x.value(value, depth)})
	})
	return entries
}

func (x *exporter) setElements(obj *goja.Object, depth int) any {
	elements := []any{}
	x.forEach(obj, func(value, _ goja.Value) { elements = append(elements, x.value(value, depth)) })
	return elements
}

// forEach calls the method of a map or a set. The script may have replaced that method, but then it only yields wrong
// elements. (A result is not known before it is complete. So a collection that contains itself counts as too deep.)
func (x *exporter) forEach(obj *goja.Object, element func(value, key goja.Value)) {
	each, ok := goja.AssertFunction(obj.Get("forEach"))
	if !ok {
		return
	}
	_, err := each(obj, x.vm.ToValue(func(call goja.FunctionCall) goja.Value {
		x.take(1)
		element(call.Argument(0), call.Argument(1))
		return goja.Undefined()
	}))
	if err != nil {
		panic(err)
	}
}

func (x *exporter) keep(obj *goja.Object, made any) {
	if x.made == nil {
		x.made = make(map[*goja.Object]any)
	}
	x.made[obj] = made
}

func (x *exporter) take(n int) {
	if x.left -= n; x.left < 0 {
		x.fail(ErrTooLarge)
	}
}

// fail ends the export, possibly through frames of the script.
func (x *exporter) fail(err error) {
	if x.err == nil {
		x.err = err
	}
	panic(x.vm.ToValue(err.Error()))
}
