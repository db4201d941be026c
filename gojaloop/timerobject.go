package gojaloop

import (
	"fmt"
	"slices"

	"github.com/dop251/goja"
)

// timerDetails is what scripts may look up on a timer besides its methods: the properties of Node's that its tests and
// some programs read, and what the script itself has stored.
type timerDetails struct {
	callback  goja.Value
	ms        float64
	repeat    bool
	destroyed bool // fired, and not to fire again; or cleared
	cleared   bool
	running   bool // the callback is in progress
	own       map[string]goja.Value
}

const longestDelay = 1<<31 - 1 // milliseconds (Node: TIMEOUT_MAX)

// delay is Node's: with a warning for one that is too long, but none for NaN.
func (rt *Runtime) nodeDelay(ms float64) float64 {
	if ms > longestDelay {
		rt.warn("TimeoutOverflowWarning", plainString(rt.vm.ToValue(ms))+
			" does not fit into a 32-bit signed integer.\nTimeout duration was set to 1.")
		return 1
	}
	if ms >= 1 {
		return ms
	}
	return 1
}

// warn is process.emitWarning(message, name).
func (rt *Runtime) warn(name, message string) {
	rt.emitWarning(rt.vm.ToValue(message), rt.vm.ToValue(name))
}

// emitWarning is process.emitWarning. It needs no script that has asked for process.
func (rt *Runtime) emitWarning(args ...goja.Value) {
	if rt.opts.left[Process] {
		return
	}
	obj, _ := rt.processObject().(*goja.Object)
	if emit, ok := goja.AssertFunction(obj.Get("emitWarning")); ok {
		if _, err := emit(obj, args...); err != nil {
			panic(err)
		}
	}
}

// began and ended frame the callback: a timer that does not repeat is destroyed when it has run, unless the callback
// has refreshed it. An immediate is destroyed at once.
func (h *timerHandle) began() { h.running, h.destroyed = true, !h.repeat }

func (h *timerHandle) ended() {
	h.running = false
	h.cleared = h.cleared || h.immediate != nil
	if h.own != nil && h.timeout != nil && !h.cleared {
		h.followOwn()
	}
}

// followOwn does what Node does when a script has written to the properties of its timer: one without _onTimeout, or
// with a _idleTimeout of -1, is not started again, and _repeat makes an interval of a timeout.
func (h *timerHandle) followOwn() {
	truth := func(key string, otherwise bool) bool {
		if v, ok := h.own[key]; ok {
			return v.ToBoolean()
		}
		return otherwise
	}
	idle, ok := h.own["_idleTimeout"]
	repeat := truth("_repeat", h.repeat) && truth("_onTimeout", true) && !(ok && idle.ToInteger() == -1)
	switch {
	case h.repeat && !repeat:
		h.clear()
	case !h.repeat && repeat:
		_ = h.timeout.Refresh() // it fails on a loop that is ending
		h.refreshed()
	}
}

func (h *timerHandle) refreshed() { h.destroyed = h.cleared }

// isDestroyed is what _destroyed tells.
func (h *timerHandle) isDestroyed() bool {
	return h.cleared || h.destroyed && (!h.running || h.immediate != nil)
}

// clear is clearTimeout for timers, and clearImmediate for immediates.
func (h *timerHandle) clear() {
	h.cleared = true
	if h.timeout != nil {
		h.timeout.Close()
	}
	if h.immediate != nil {
		h.immediate.Close()
	}
}

// The methods of goja.DynamicObject make the handle the script's object.

var (
	timeoutKeys   = []string{"_idleTimeout", "_onTimeout", "_repeat", "_destroyed"}
	immediateKeys = []string{"_onImmediate", "_destroyed"}
)

func (h *timerHandle) builtin() []string {
	if h.timeout != nil {
		return timeoutKeys
	}
	return immediateKeys
}

// Get returns a property of Node's, or one that the script has set.
func (h *timerHandle) Get(key string) goja.Value {
	if v, ok := h.own[key]; ok {
		return v
	}
	if !slices.Contains(h.builtin(), key) {
		return nil
	}
	switch {
	case key == "_destroyed":
		return h.rt.vm.ToValue(h.isDestroyed())
	case key == "_repeat" && h.repeat || key == "_idleTimeout" && !h.cleared:
		return h.rt.vm.ToValue(h.ms)
	case key == "_idleTimeout":
		return h.rt.vm.ToValue(-1)
	case key == "_repeat" || h.cleared:
		return goja.Null()
	}
	return h.callback
}

// Set keeps what a script stores on its timer.
func (h *timerHandle) Set(key string, v goja.Value) bool {
	if h.own == nil {
		h.own = make(map[string]goja.Value)
	}
	h.own[key] = v
	return true
}

// Has tells whether a property is there.
func (h *timerHandle) Has(key string) bool {
	_, ok := h.own[key]
	return ok || slices.Contains(h.builtin(), key)
}

// Delete deletes what the script has stored.
func (h *timerHandle) Delete(key string) bool {
	delete(h.own, key)
	return true
}

// Keys lists the properties: Node's first.
func (h *timerHandle) Keys() []string {
	keys := slices.Clone(h.builtin())
	var more []string
	for key := range h.own {
		if !slices.Contains(keys, key) {
			more = append(more, key)
		}
	}
	slices.Sort(more)
	return append(keys, more...)
}

// timerNatives are what timersmodule.js builds on, the globals.
func (rt *Runtime) timerNatives(o *goja.Object) {
	rt.set(o, "timers", func(goja.FunctionCall) goja.Value {
		all := rt.vm.NewObject()
		for _, name := range []string{"setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "clearImmediate"} {
			rt.set(all, name, rt.vm.Get(name))
		}
		return all
	})
}

// disposable defines Symbol.dispose, which clears the timer.
func (rt *Runtime) disposable(proto *goja.Object) {
	clear := rt.function("[Symbol.dispose]", 0, func(call goja.FunctionCall) goja.Value {
		if h := rt.handle(call.This); h != nil {
			h.clear()
		}
		return goja.Undefined()
	})
	_ = proto.DefineDataPropertySymbol(newSymbol("dispose"), clear, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
}

// String is for Go code that prints a handle.
func (h *timerHandle) String() string {
	if h.timeout != nil {
		return fmt.Sprintf("Timeout %v ms", h.ms)
	}
	return "Immediate"
}
