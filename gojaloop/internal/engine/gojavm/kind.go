package gojavm

import (
	"math/big"
	"reflect"
	"strings"

	"github.com/dop251/goja"
)

// objectSelf is the engine's field for the type of an object. ClassName knows only the classes of ECMAScript 5, and
// asking in JavaScript means to call a method that throws. For an engine without such a field only those classes are
// known.
var objectSelf = func() []int {
	field, ok := reflect.TypeFor[goja.Object]().FieldByName("self")
	if !ok || field.Type.Kind() != reflect.Interface {
		return nil
	}
	return field.Index
}()

// KindOf names the original type of an object, even if its prototype has changed: "Object", "Array", "Map",
// "Generator", …
func KindOf(obj *goja.Object) string {
	class := obj.ClassName()
	if class != "Object" || objectSelf == nil {
		return class
	}
	switch TypeName(obj) {
	case "mapObject":
		return "Map"
	case "setObject":
		return "Set"
	case "weakMapObject":
		return "WeakMap"
	case "weakSetObject":
		return "WeakSet"
	case "Promise":
		return "Promise"
	case "generatorObject":
		return "Generator"
	case "mapIterObject":
		return "Map Iterator"
	case "setIterObject":
		return "Set Iterator"
	case "arrayIterObject":
		return "Array Iterator"
	case "stringIterObject":
		return "String Iterator"
	case "regExpStringIterObject":
		return "RegExp String Iterator"
	case "arrayBufferObject":
		return "ArrayBuffer"
	case "typedArrayObject":
		return "TypedArray"
	case "dataViewObject":
		return "DataView"
	case "primitiveValueObject":
		if obj.ExportType() == reflect.TypeFor[*big.Int]() {
			return "BigInt"
		}
		return "Symbol"
	}
	return class
}

// TypeName names the engine's type of an object; it is empty for an engine without such a field.
func TypeName(obj *goja.Object) string {
	if objectSelf == nil {
		return ""
	}
	return reflect.ValueOf(obj).Elem().FieldByIndex(objectSelf).Elem().Type().Elem().Name()
}

// isNativeFunction reports whether an object is a function of the engine's, or of Go's: no script stands behind it.
func isNativeFunction(obj *goja.Object) bool {
	switch TypeName(obj) {
	case "nativeFuncObject", "templatedFuncObject":
		return true
	}
	return false
}

// HoldsGoValue reports whether an object wraps a map, a slice or a struct of Go's.
func HoldsGoValue(obj *goja.Object) bool {
	name := TypeName(obj)
	return strings.HasPrefix(name, "objectGo") || strings.HasPrefix(name, "dynamic")
}
