package gojavm

import (
	"testing"

	"github.com/dop251/goja"
)

// Without it all works, at a fraction of the speed: see storages.
func TestPlainValuesAreClonedWithoutAScript(t *testing.T) {
	vm := &VM{Runtime: goja.New()}
	natives := vm.NewObject()
	vm.cloneNatives(natives)
	_ = vm.Set("native", natives)
	if _, err := vm.RunString(`native.clonePlainWith(Map, Set, Date, Map.prototype.forEach, Map.prototype.set, Set.prototype.forEach, Set.prototype.add, Date.prototype.getTime)`); err != nil {
		t.Fatal(err)
	}
	for src, plain := range map[string]bool{
		"1": true, "undefined": true, "'x'": true, "null": true, "1n": true,
		"[1, 'a', [undefined]]": true, "({ a: 1, 'b-c': [{ d: null }] })": true, "(() => { const o = {}; o.o = [o]; return o })()": true,
		"new Map([[{}, new Map()]])": true, "new Set([[1]])": true, "new Date(0)": true,
		"new Proxy({}, {})": false, "({ get a() { return 1 } })": false, "Object.create(null)": false, "new (class A {})()": false, "[1, , 3]": false,
		"Symbol()": false, "() => 1": false, "[() => 1]": false, "/x/": false, "new Error()": false, "Object(1)": false,
	} {
		v, err := vm.RunString("(" + src + ")")
		if err != nil {
			t.Fatal(err)
		}
		if _, got := vm.cloner.clone(vm, v); got != plain {
			t.Errorf("%s: cloned without a script: %v; want %v", src, got, plain)
		}
	}
}
