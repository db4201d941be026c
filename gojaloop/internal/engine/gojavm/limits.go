package gojavm

import (
	"fmt"

	"github.com/dop251/goja"
)

// A resource is something of which a script requests an amount. With too much of it the engine, or Go, ends the
// process. So code that allocates by a number from a script calls [VM.allow] first.
type resource struct {
	limit   int64
	refusal string // the message of the RangeError
}

// The resources, and how much of each one operation may ask for.
var (
	stringLength = resource{1<<29 - 24, "Invalid string length"} // V8's, in UTF-16 code units
	bufferBytes  = resource{1 << 30, "Array buffer allocation failed"}
	argumentList = resource{1 << 20, "Invalid array length"} // of a call
	// elements limits lists that the engine makes, or walks without checking the time. An element takes 16 bytes.
	elements   = resource{1 << 25, "Invalid array length"}
	bigIntBits = resource{1 << 30, "Maximum BigInt size exceeded"} // V8's
)

// allow throws a RangeError if n is more than a script may have of a resource.
func (vm *VM) allow(r resource, n int64) {
	if n > r.limit {
		panic(vm.Error("RangeError", fmt.Sprintf("%s: %d, the limit is %d", r.refusal, n, r.limit)))
	}
}

// AllowBuffer throws a RangeError for a buffer that is too large.
func (vm *VM) AllowBuffer(bytes int64) { vm.allow(bufferBytes, bytes) }

// lengthOf reads the length of an object once. The stable object has that length for later readers too. It is the
// object itself, or, if reading its length runs the script, a proxy.
func (vm *VM) lengthOf(obj *goja.Object) (length int64, stable *goja.Object) {
	n := Get(obj, "length").ToNumber()
	length = min(max(n.ToInteger(), 0), 1<<53-1)
	if obj.ClassName() == "Array" || obj.ClassName() == "String" || vm.storages.data(obj, "length") != nil {
		return length, obj
	}
	fixed := vm.ToValue(length)
	return length, vm.ToValue(vm.NewProxy(obj, &goja.ProxyTrapConfig{
		Get: func(target *goja.Object, name string, receiver goja.Value) goja.Value {
			if name == "length" {
				return fixed
			}
			return Get(target, name)
		},
	})).(*goja.Object)
}
