package gojavm

import (
	"errors"
	"math"
	"strconv"

	"github.com/dop251/goja"
)

// A plainCloner does the work of clone.js for the most frequent values: primitive values, and objects, arrays, maps,
// sets and dates of these. It runs no script. It gives up before it would run one or throw, and clone.js starts from
// the beginning.
type plainCloner struct {
	builtin cloneBuiltins
	plain   *goja.Object                  // Object.prototype
	vm      *VM                           // at work
	copies  map[*goja.Object]*goja.Object // nil while the elements of an array are being copied
	steps   int
	failed  bool
}

// cloneBuiltins are functions of the engine's, which no script of the embedder stands behind.
type cloneBuiltins struct {
	makeMap, makeSet, makeDate              *goja.Object
	eachEntry, set, eachValue, add, getTime goja.Callable
}

const (
	cloneDepth       = 10_000 // deeper values are for clone.js, whose stack has a limit
	copiesRemembered = 1024   // a map that has grown above that is not kept for the next value
)

func (vm *VM) cloneNatives(o *goja.Object) {
	// clonePlainWith passes the functions that cloning uses. A script's replacement for one is ignored.
	vm.SetOwn(o, "clonePlainWith", func(call goja.FunctionCall) goja.Value {
		object := func(i int) *goja.Object {
			if obj, ok := call.Argument(i).(*goja.Object); ok && isNativeFunction(obj) {
				return obj
			}
			return nil
		}
		function := func(i int) goja.Callable {
			if obj := object(i); obj != nil {
				fn, _ := goja.AssertFunction(obj)
				return fn
			}
			return nil
		}
		vm.cloner.builtin = cloneBuiltins{
			makeMap: object(0), makeSet: object(1), makeDate: object(2),
			eachEntry: function(3), set: function(4), eachValue: function(5), add: function(6), getTime: function(7),
		}
		return goja.Undefined()
	})
	// bounded makes a function of one that recurses as deep as a script's data nests.
	vm.SetOwn(o, "bounded", func(call goja.FunctionCall) goja.Value {
		fn := vm.bounded(call.Argument(0))
		return vm.ToValue(func(call goja.FunctionCall) goja.Value {
			v, err := fn(call.This, Rest(call.Arguments, 0)...)
			if err != nil {
				panic(err)
			}
			return v
		})
	})
	// cloner makes structuredClone of a function for values that are not plain.
	vm.SetOwn(o, "cloner", func(call goja.FunctionCall) goja.Value {
		general := vm.bounded(call.Argument(0))
		return vm.Function("structuredClone", 1, func(call goja.FunctionCall) goja.Value {
			if len(call.Arguments) == 1 {
				if copied, ok := vm.cloner.clone(vm, call.Arguments[0]); ok {
					return copied
				}
			}
			v, err := general(goja.Undefined(), Rest(call.Arguments, 0)...)
			if err != nil {
				panic(err)
			}
			return v
		})
	})
}

// bounded makes a function that throws a RangeError where the stack overflows. Otherwise no script could catch the
// overflow. The engine has left all frames of the function by then.
func (vm *VM) bounded(function goja.Value) goja.Callable {
	fn, _ := goja.AssertFunction(function)
	return func(this goja.Value, args ...goja.Value) (goja.Value, error) {
		v, err := fn(this, args...)
		var overflow *goja.StackOverflowError
		if errors.As(err, &overflow) {
			panic(vm.Error("RangeError", "Maximum call stack size exceeded"))
		}
		return v, err
	}
}

// clone copies a value, if it is plain. An interrupt makes it give up: the script that goes on is ended by it.
func (c *plainCloner) clone(vm *VM, v goja.Value) (copied goja.Value, ok bool) {
	if c.vm != nil {
		return nil, false
	}
	if c.plain == nil {
		c.plain = vm.NewObject().Prototype()
	}
	if c.copies == nil {
		c.copies = make(map[*goja.Object]*goja.Object)
	}
	c.vm = vm
	defer c.reset()
	copied = c.value(v, 0)
	return copied, !c.failed
}

func (c *plainCloner) reset() {
	if len(c.copies) > copiesRemembered {
		c.copies = nil
	}
	clear(c.copies)
	c.vm, c.steps, c.failed = nil, 0, false
}

func (c *plainCloner) fail() goja.Value {
	c.failed = true
	return goja.Undefined()
}

func (c *plainCloner) value(v goja.Value, depth int) goja.Value {
	if c.steps++; c.failed || c.steps%stepsPerInterrupt == 0 && c.vm.Interrupting() {
		return c.fail()
	}
	switch v := v.(type) {
	case *goja.Object:
		return c.object(v, depth+1)
	case nil, *goja.Symbol:
		return c.fail()
	}
	return v
}

func (c *plainCloner) object(obj *goja.Object, depth int) goja.Value {
	if copied, known := c.copies[obj]; copied != nil {
		return copied
	} else if known || depth > cloneDepth { // an array that contains itself cannot be made in one go
		return c.fail()
	}
	b := &c.builtin
	switch _, at := c.vm.storages.of(obj); {
	case at == nil:
	case at.name == "baseObject" && obj.ClassName() == "Object" && obj.Prototype() == c.plain:
		return c.properties(obj, depth)
	case at.name == "arrayObject":
		return c.array(obj, depth)
	case at.name == "mapObject" && b.eachEntry != nil && b.set != nil:
		return c.collection(obj, b.makeMap, b.eachEntry, func(copied *goja.Object, value, key goja.Value) error {
			key = c.value(key, depth)
			_, err := b.set(copied, key, c.value(value, depth))
			return err
		})
	case at.name == "setObject" && b.eachValue != nil && b.add != nil:
		return c.collection(obj, b.makeSet, b.eachValue, func(copied *goja.Object, value, _ goja.Value) error {
			_, err := b.add(copied, c.value(value, depth))
			return err
		})
	case at.name == "dateObject" && b.getTime != nil:
		if time, err := b.getTime(obj); err == nil {
			if copied := c.made(obj, b.makeDate, time); copied != nil {
				return copied
			}
		}
	}
	return c.fail()
}

func (c *plainCloner) properties(obj *goja.Object, depth int) goja.Value {
	keys := obj.Keys()
	if !c.vm.storages.allData(obj, keys) {
		return c.fail()
	}
	copied := c.vm.NewObject()
	c.copies[obj] = copied
	for _, key := range keys {
		value := c.value(obj.Get(key), depth)
		if c.failed {
			break
		}
		_ = copied.DefineDataProperty(key, value, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE) // the object is new
	}
	return copied
}

func (c *plainCloner) array(obj *goja.Object, depth int) goja.Value {
	length, ok := c.vm.storages.elementsOf(obj, math.MaxInt)
	if !ok {
		return c.fail()
	}
	c.copies[obj] = nil
	items := make([]any, length)
	for i := range items {
		if items[i] = c.value(obj.Get(strconv.Itoa(i)), depth); c.failed {
			return goja.Undefined()
		}
	}
	copied := c.vm.NewArray(items...)
	c.copies[obj] = copied
	return copied
}

// collection copies a map or a set: each gives its entries, and put puts one into the copy.
func (c *plainCloner) collection(obj, class *goja.Object, each goja.Callable, put func(copied *goja.Object, value, key goja.Value) error) goja.Value {
	entries, ok := c.vm.entries(obj, each)
	if !ok {
		return c.fail()
	}
	copied := c.made(obj, class)
	if copied == nil {
		return c.fail()
	}
	for _, e := range entries {
		if c.failed || put(copied, e.value, e.key) != nil {
			return c.fail()
		}
	}
	return copied
}

// made makes the copy of an object with a class of the engine's, or returns nil.
func (c *plainCloner) made(obj, class *goja.Object, args ...goja.Value) *goja.Object {
	if class == nil {
		return nil
	}
	copied, err := c.vm.New(class, args...)
	if err != nil {
		return nil
	}
	c.copies[obj] = copied
	return copied
}
