package gojavm

import (
	"runtime"
	"sync"
	"weak"

	"github.com/dop251/goja"
)

// NewError makes an Error of the script's for an error of Go's. The script finds the message, and nothing else unless it may
// see errors of Go's.
func (vm *VM) NewError(err error) *goja.Object {
	if vm.host.GoErrors() {
		return vm.NewGoError(err)
	}
	obj := vm.Error("Error", err.Error())
	vm.goErrors.keep(obj, err)
	return obj
}

// maxCauses is how far the causes of an error are followed.
const maxCauses = 32

// GoCause returns the error of Go's behind a value that was thrown: itself, or the cause of it, or of that.
func (vm *VM) GoCause(v goja.Value) error {
	for range maxCauses {
		obj, ok := v.(*goja.Object)
		if !ok || obj.ClassName() != "Error" {
			return nil
		}
		if err := vm.goErrors.of(obj); err != nil {
			return err
		}
		if inner, ok := obj.Get("value").(*goja.Object); ok && HoldsGoValue(inner) { // the engine's GoError
			if err, ok := inner.Export().(error); ok {
				return err
			}
		}
		v = obj.Get("cause")
	}
	return nil
}

// goErrors knows which errors of Go's are behind Errors of the script, as long as the script has those.
type goErrors struct {
	mu sync.Mutex // for the fields below: objects are collected on another goroutine
	m  map[weak.Pointer[goja.Object]]error
}

func (g *goErrors) keep(obj *goja.Object, err error) {
	key := weak.Make(obj)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.m == nil {
		g.m = make(map[weak.Pointer[goja.Object]]error)
	}
	g.m[key] = err
	runtime.AddCleanup(obj, g.forget, key)
}

func (g *goErrors) of(obj *goja.Object) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.m[weak.Make(obj)]
}

func (g *goErrors) forget(key weak.Pointer[goja.Object]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.m, key)
}
