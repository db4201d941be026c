package gojavm

import (
	"reflect"

	"github.com/dop251/goja"
)

// HostValue returns the Go value that an object holds, if it is of type T. It asks for the type first: to export any
// object would copy it with all that it refers to, and call its getters.
func HostValue[T any](v goja.Value) (host T, ok bool) {
	obj, isObject := v.(*goja.Object)
	if !isObject || obj.ExportType() != reflect.TypeFor[T]() {
		return host, false
	}
	host, ok = obj.Export().(T)
	return host, ok
}
