package gojavm

import (
	"slices"
	"strings"
	"sync"

	"github.com/dop251/goja"
)

// The engine's own objects lack members of ECMA-262, and we add these. The engine makes an object when its name is
// first used, and has no hook for changing it then. Making Symbol and Promise takes as long as all other work of a
// short program. So they are made and completed before a program runs that can reach them. A program reaches them by
// their names, through the global object, or through code that it makes of strings, whose parsing the engine
// announces. Go code may do anything with the engine: all objects are completed before it runs.

// A namedSymbol is a well-known symbol, by its name in Symbol.
type namedSymbol struct {
	name   string
	symbol *goja.Symbol
}

// newSymbols are the well-known symbols that the engine may lack. All runtimes share them, as they do the engine's own.
var newSymbols = sync.OnceValue(func() []namedSymbol {
	symbols := []namedSymbol{{name: "asyncIterator"}, {name: "dispose"}, {name: "asyncDispose"}}
	engine := goja.New().Get("Symbol").(*goja.Object)
	for i := range symbols {
		s := &symbols[i]
		if own, ok := engine.Get(s.name).(*goja.Symbol); ok {
			s.symbol = own
		} else {
			s.symbol = goja.NewSymbol("Symbol." + s.name)
		}
	}
	return symbols
})

// newSymbol returns one of newSymbols.
func newSymbol(name string) *goja.Symbol {
	for _, s := range newSymbols() {
		if s.name == name {
			return s.symbol
		}
	}
	return nil
}

// intrinsics are the objects to complete.
var intrinsics = [...]string{"Symbol", "Promise"}

// indirections are the texts by which a program can reach an object without its name. They are the global object,
// which also covers globalThis, an escape within a name, and a module, which has text of its own. For Promise any
// promise is one.
var indirections = []string{"this", "global", "self", `\u`, "require", "import", "constructor"}

// Prepare completes the intrinsics that a program with this text can reach, and keeps those that it can replace.
func (vm *VM) Prepare(src string) {
	vm.complete(reachable(src))
	vm.keepOriginals(src)
}

// reachable returns which intrinsics a program with this text can reach, by their places in the list.
func reachable(src string) (found []int) {
	all := slices.ContainsFunc(indirections, func(word string) bool { return strings.Contains(src, word) })
	for i, name := range intrinsics {
		if all || strings.Contains(src, name) {
			found = append(found, i)
		}
	}
	return found
}

func (vm *VM) complete(list []int) {
	for _, i := range list {
		vm.completeIntrinsic(i)
	}
}

// PrepareAll completes all intrinsics.
func (vm *VM) PrepareAll() {
	for i := range intrinsics {
		vm.completeIntrinsic(i)
	}
}

func (vm *VM) completeIntrinsic(i int) {
	if vm.completed[i] {
		return
	}
	vm.completed[i] = true
	obj, ok := vm.GlobalObject().Get(intrinsics[i]).(*goja.Object)
	if !ok {
		return // Go code has put something else there
	}
	switch intrinsics[i] {
	case "Symbol":
		vm.completeSymbol(obj)
	case "Promise":
		vm.completePromise(obj)
	}
}

func (vm *VM) completeSymbol(symbol *goja.Object) {
	for _, s := range newSymbols() {
		if lacks(symbol, s.name) {
			_ = symbol.DefineDataProperty(s.name, s.symbol, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
		}
	}
}

func (vm *VM) completePromise(promise *goja.Object) {
	vm.completePromiseWith(promise, "withResolvers", 0)
	vm.completePromiseWith(promise, "try", 1)
}

func (vm *VM) completePromiseWith(promise *goja.Object, name string, length int) {
	if !lacks(promise, name) {
		return
	}
	vm.Method(promise, name, length, func(call goja.FunctionCall) goja.Value {
		v, err := vm.Exported("promise", name)(call.This, call.Arguments...)
		if err != nil {
			panic(err)
		}
		return v
	})
}

func lacks(obj *goja.Object, name string) bool {
	v := obj.Get(name)
	return v == nil || goja.IsUndefined(v)
}
