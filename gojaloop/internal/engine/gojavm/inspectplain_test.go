package gojavm

import (
	"testing"

	"github.com/dop251/goja"
)

// Without it all works, at a tenth of the speed: see storages.
func TestPlainValuesAreShownWithoutAScript(t *testing.T) {
	vm := &VM{Runtime: goja.New()}
	for src, want := range map[string]string{
		"1":                                "1",
		"-0":                               "-0",
		"'it is'":                          "'it is'",
		"[1, 'a', [undefined]]":            "[ 1, 'a', [ undefined ] ]",
		"({ a: 1, 'b-c': [{ d: null }] })": "{ a: 1, 'b-c': [ { d: null } ] }",
		"(() => { const o = {}; o.o = o; return o })()": "<ref *1> { o: [Circular *1] }",
	} {
		v, err := vm.RunString("(" + src + ")")
		if err != nil {
			t.Fatal(err)
		}
		if got, plain := vm.inspector.text(vm, v); !plain || got != want {
			t.Errorf("%s: %q, shown without a script: %v; want %q", src, got, plain, want)
		}
	}
	for _, src := range []string{"new Date(0)", "new Proxy({}, {})", "({ get a() { return 1 } })", "Object.create(null)", "new (class A {})()", "[1, , 3]"} {
		v, err := vm.RunString("(" + src + ")")
		if err != nil {
			t.Fatal(err)
		}
		if got, plain := vm.inspector.text(vm, v); plain {
			t.Errorf("%s: shown as %q, and is the scripts' matter", src, got)
		}
	}
}
