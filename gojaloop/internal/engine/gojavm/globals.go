package gojavm

import "github.com/dop251/goja"

// A Global is what scripts find under a name. It is made when a script first asks for it: see [Host].
type Global struct {
	Name       string
	Enumerable goja.Flag
}

// A GlobalTable is all globals that there are, in the order that Object.keys shows. One serves all runtimes: a runtime that
// had to declare them would take most of its time to start for that.
type GlobalTable struct {
	all   []Global
	index map[string]int // of names in all
}

// NewGlobalTable makes one.
func NewGlobalTable(all []Global) *GlobalTable {
	t := &GlobalTable{all: all, index: make(map[string]int, len(all))}
	for i, g := range all {
		t.index[g.Name] = i
	}
	return t
}

// Has reports whether there is a global of a name.
func (t *GlobalTable) Has(name string) bool {
	_, ok := t.index[name]
	return ok
}

// globals are those of a runtime.
type globals struct {
	*GlobalTable
	made    []bool       // which the runtime has by now, in the order of the table
	own     []goja.Value // those that were made, whatever a script has put in their places
	owned   bool         // the others are own properties of the global object: accessors,
	getters []goja.Value // of which these are the functions
}

// SetUpGlobals puts the globals behind the global object. setUp defines what has to be there from the beginning.
func (vm *VM) SetUpGlobals(table *GlobalTable, refuseStrings bool, setUp func()) {
	vm.globals = globals{GlobalTable: table, made: make([]bool, len(table.all))}
	global := vm.GlobalObject()
	lazy := vm.NewDynamicObject(lazyGlobals{vm})
	_ = lazy.SetPrototype(global.Prototype())
	_ = global.SetPrototype(lazy) // the global object is extensible
	vm.beforeParsing(refuseStrings, func() {
		vm.PrepareAll()
		vm.KeepPrimordials()
	})
	setUp()
	// A script reaches the global object itself by this name. See lazyGlobals.
	_ = global.Delete("globalThis")
}

// offers reports whether the runtime has a global that is not made yet.
func (vm *VM) offers(i int) bool { return !vm.globals.made[i] && vm.host.Offers(i) }

// lazyGlobals is the prototype of the global object: it makes globals when they are not there yet. To define all when
// the runtime is made, even as accessors, would take most of the time that a runtime takes to start.
//
// That a global is not an own property yet can be seen only by who looks at the global object as an object. A script
// gets hold of that by the names globalThis and global, so the first use of these declares all globals as own
// properties. (It could also be the this of a function that is not strict. Such a script sees the globals, but not that
// they are own properties.)
type lazyGlobals struct{ vm *VM }

func (g lazyGlobals) Get(name string) goja.Value {
	if !g.Has(name) {
		return nil
	}
	if name == makeDeclared {
		return g.vm.makeDeclared()
	}
	if name == "globalThis" {
		g.vm.OwnGlobals()
		return g.vm.GlobalObject()
	}
	if name == "global" || name == "self" {
		g.vm.OwnGlobals()
	}
	return g.vm.makeGlobal(g.vm.globals.index[name])
}

// makeGlobal makes a global that is not made yet, and defines it as a property with a value.
func (vm *VM) makeGlobal(i int) goja.Value {
	if vm.globals.made[i] {
		return vm.GlobalObject().Get(vm.globals.all[i].Name)
	}
	v := vm.madeBy(i)
	vm.setGlobal(i, v)
	return v
}

func (vm *VM) setGlobal(i int, v goja.Value) {
	g := &vm.globals
	g.made[i] = true
	_ = vm.GlobalObject().DefineDataProperty(g.all[i].Name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, g.all[i].Enumerable)
}

// Set is not called for assignments to globals: those make a property of the global object.
func (g lazyGlobals) Set(string, goja.Value) bool { return false }

func (g lazyGlobals) Has(name string) bool {
	all := &g.vm.globals
	i, ok := all.index[name]
	return name == makeDeclared || !all.owned && (ok && g.vm.offers(i) || name == "globalThis")
}

func (g lazyGlobals) Delete(string) bool { return false }

func (g lazyGlobals) Keys() []string { return nil }
