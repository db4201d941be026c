package gojavm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/dop251/goja"
)

// An Argument is a Go value on its way to a script. The goroutine that has the value makes it, so the loop reads no
// data that Go code may still change.
type Argument struct {
	value any
	text  []byte // JSON, if it is not nil
}

// ArgumentOf copies a value, unless it is immutable.
func ArgumentOf(v any) (Argument, error) {
	switch v := v.(type) {
	case nil, bool, string, goja.Value, *goja.Promise:
		return Argument{value: v}, nil
	case Live:
		return Argument{value: v.Value}, nil
	case []byte:
		return Argument{value: bytes.Clone(v)}, nil
	case goja.ArrayBuffer:
		return Argument{value: bytes.Clone(v.Bytes())}, nil
	case json.Marshaler:
	default:
		switch kind := reflect.TypeOf(v).Kind(); {
		case kind == reflect.Func, reflect.Int <= kind && kind <= reflect.Float64 && kind != reflect.Uintptr:
			return Argument{value: v}, nil
		}
	}
	text, err := json.Marshal(v)
	return Argument{text: text}, err
}

// A Live value of Go's reaches the script as it is, and not as a copy.
type Live struct{ Value any }

// In makes the script's form of the argument, on the loop.
func (a Argument) In(vm *goja.Runtime) (goja.Value, error) {
	switch v := a.value.(type) {
	case []byte:
		return vm.ToValue(vm.NewArrayBuffer(v)), nil
	case nil:
		if a.text == nil {
			return goja.Null(), nil
		}
	default:
		return vm.ToValue(v), nil
	}
	d := json.NewDecoder(bytes.NewReader(a.text))
	d.UseNumber()
	return readJSON(vm, d)
}

// readJSON makes a value of JSON text that package json has written. It uses nothing that a script can replace.
func readJSON(vm *goja.Runtime, d *json.Decoder) (goja.Value, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Number:
		if n, err := t.Int64(); err == nil {
			return vm.ToValue(n), nil
		}
		f, err := t.Float64()
		return vm.ToValue(f), err
	case json.Delim:
		if t == '[' {
			return readArray(vm, d)
		}
		return readObject(vm, d)
	case nil:
		return goja.Null(), nil
	default:
		return vm.ToValue(t), nil
	}
}

func readArray(vm *goja.Runtime, d *json.Decoder) (goja.Value, error) {
	var items []any
	for d.More() {
		v, err := readJSON(vm, d)
		if err != nil {
			return nil, err
		}
		items = append(items, v)
	}
	_, err := d.Token()
	return vm.NewArray(items...), err
}

func readObject(vm *goja.Runtime, d *json.Decoder) (goja.Value, error) {
	obj := vm.NewObject()
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		v, err := readJSON(vm, d)
		if err != nil {
			return nil, err
		}
		if err := obj.DefineDataProperty(key.(string), v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE); err != nil {
			return nil, err
		}
	}
	_, err := d.Token()
	return obj, err
}

// Convert makes a T of Go's form of a value: itself if it is one, and else as package json does.
func Convert[T any](v any) (T, error) {
	var t T
	switch v := v.(type) {
	case T:
		return v, nil
	case goja.ArrayBuffer:
		return Convert[T](v.Bytes())
	}
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &t)
	}
	if err != nil {
		return t, fmt.Errorf("gojaloop: the result is no %s: %w", reflect.TypeFor[T](), err)
	}
	return t, nil
}
