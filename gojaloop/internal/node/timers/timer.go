// Package timers is setTimeout, setInterval and setImmediate as Node has them: the properties of Timeout and
// Immediate, and the module timers. Package js runs their callbacks.
package timers

import (
	"fmt"
	"slices"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
	"github.com/eventloop-go/eventloop/js"
)

// A Timer is the state behind a script's Timeout or Immediate. It has Node's properties, which Node's tests and some
// programs read, and the properties that the script has stored.
type Timer struct {
	Timeout   *js.Timeout
	Immediate *js.Immediate // either of them

	callback  engine.Value
	ms        float64
	repeat    bool
	destroyed bool // fired, and not to fire again; or cleared
	cleared   bool
	running   bool // the callback is in progress
	own       map[string]engine.Value
}

// NewTimeout makes a Timer of class Timeout. The caller sets its Timeout.
func NewTimeout(callback engine.Value, ms float64, repeat bool) Timer {
	return Timer{callback: callback, ms: ms, repeat: repeat}
}

// NewImmediate makes one of class Immediate.
func NewImmediate(callback engine.Value, immediate *js.Immediate) Timer {
	return Timer{callback: callback, Immediate: immediate}
}

const longestDelay = 1<<31 - 1 // milliseconds (Node: TIMEOUT_MAX)

// Delay is Node's delay for the ms that a script requests. It returns the text of a warning for a delay that is too
// long, but no warning for NaN. shown is the script's own form of ms.
func Delay(ms float64, shown func() string) (delay float64, warning string) {
	if ms > longestDelay {
		return 1, shown() + " does not fit into a 32-bit signed integer.\nTimeout duration was set to 1."
	}
	if ms >= 1 {
		return ms, ""
	}
	return 1, ""
}

// Began and Ended frame the callback: a timer that does not repeat is destroyed when it has run, unless the callback
// has refreshed it. An immediate is destroyed at once.
func (t *Timer) Began() { t.running, t.destroyed = true, !t.repeat }

// Ended is called when the callback has returned, or thrown.
func (t *Timer) Ended() {
	t.running = false
	t.cleared = t.cleared || t.Immediate != nil
	if t.own != nil && t.Timeout != nil && !t.cleared {
		t.followOwn()
	}
}

// followOwn applies properties of its timer that a script has written, as Node does. A timer without _onTimeout, or
// with an _idleTimeout of -1, is not started again. _repeat makes an interval of a timeout.
func (t *Timer) followOwn() {
	truth := func(key string, otherwise bool) bool {
		if v, ok := t.own[key]; ok {
			return v.ToBoolean()
		}
		return otherwise
	}
	idle, ok := t.own["_idleTimeout"]
	repeat := truth("_repeat", t.repeat) && truth("_onTimeout", true) && !(ok && idle.ToInteger() == -1)
	switch {
	case t.repeat && !repeat:
		t.Clear()
	case !t.repeat && repeat:
		t.Refresh()
	}
}

// Refresh restarts a Timeout.
func (t *Timer) Refresh() {
	_ = t.Timeout.Refresh() // it fails on a loop that is ending
	t.destroyed = t.cleared
}

// isDestroyed is the value of _destroyed.
func (t *Timer) isDestroyed() bool {
	return t.cleared || t.destroyed && (!t.running || t.Immediate != nil)
}

// Clear is clearTimeout for timers, and clearImmediate for immediates.
func (t *Timer) Clear() {
	t.cleared = true
	if t.Timeout != nil {
		t.Timeout.Close()
	}
	if t.Immediate != nil {
		t.Immediate.Close()
	}
}

// SetRef is ref and unref.
func (t *Timer) SetRef(ref bool) {
	switch {
	case t.Timeout != nil && ref:
		t.Timeout.Ref()
	case t.Timeout != nil:
		t.Timeout.Unref()
	case ref:
		t.Immediate.Ref()
	default:
		t.Immediate.Unref()
	}
}

// HasRef is hasRef.
func (t *Timer) HasRef() bool {
	if t.Timeout != nil {
		return t.Timeout.HasRef()
	}
	return !t.isDestroyed() && t.Immediate.HasRef()
}

// The rest of this file is the object that the script sees.

var (
	timeoutKeys   = []string{"_idleTimeout", "_onTimeout", "_repeat", "_destroyed"}
	immediateKeys = []string{"_onImmediate", "_destroyed"}
)

func (t *Timer) builtin() []string {
	if t.Timeout != nil {
		return timeoutKeys
	}
	return immediateKeys
}

// Property returns a property of Node's, or one that the script has set, as something of which the engine makes a value.
func (t *Timer) Property(key string) (value any, ok bool) {
	if v, ok := t.own[key]; ok {
		return v, true
	}
	if !slices.Contains(t.builtin(), key) {
		return nil, false
	}
	switch {
	case key == "_destroyed":
		return t.isDestroyed(), true
	case key == "_repeat" && t.repeat || key == "_idleTimeout" && !t.cleared:
		return t.ms, true
	case key == "_idleTimeout":
		return -1, true
	case key == "_repeat" || t.cleared:
		return engine.Null{}, true
	}
	return t.callback, true
}

// SetProperty stores a script's property of its timer.
func (t *Timer) SetProperty(key string, v engine.Value) {
	if t.own == nil {
		t.own = make(map[string]engine.Value)
	}
	t.own[key] = v
}

// Has reports whether a property is there.
func (t *Timer) Has(key string) bool {
	_, ok := t.own[key]
	return ok || slices.Contains(t.builtin(), key)
}

// Delete deletes a property that the script has stored.
func (t *Timer) Delete(key string) bool {
	delete(t.own, key)
	return true
}

// Keys lists the properties: Node's first.
func (t *Timer) Keys() []string {
	keys := slices.Clone(t.builtin())
	var more []string
	for key := range t.own {
		if !slices.Contains(keys, key) {
			more = append(more, key)
		}
	}
	slices.Sort(more)
	return append(keys, more...)
}

// String is for Go code that prints a timer.
func (t *Timer) String() string {
	if t.Timeout != nil {
		return fmt.Sprintf("Timeout %v ms", t.ms)
	}
	return "Immediate"
}
