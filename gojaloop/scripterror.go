package gojaloop

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"weak"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
)

// A ScriptError is what a script threw, or what its promise was rejected with. It is made on the loop: nothing of the
// script runs when it is read.
//
// If there is an error of Go's behind it, which a Go function has returned and the script let through, itself or as the
// cause of another, [errors.Is] and [errors.As] find that. As also finds the [*goja.Exception], whose methods must be called
// on the loop only: they may run the script. The text of the ScriptError has that of the Go error: "fetch failed" says why.
type ScriptError struct {
	// Value is what was thrown as [Runtime.Eval] gives values; nil if that is not possible.
	Value any

	// Message is what was thrown as a string: "TypeError: x is not a function".
	Message string

	// Stack has the frames of the script, one in each line; it may be empty if what was thrown is no Error.
	Stack string

	cause
}

func (e *ScriptError) Error() string { return "gojaloop: the script threw " + e.Message + e.behind }

// cause is what is behind an exception.
type cause struct {
	exception *goja.Exception // or nil
	err       error           // of Go's
	behind    string          // what that says, if the message does not say it
}

// explain completes a message with what the error of Go's says. An exception's text may run the script.
func (c *cause) explain(message string) {
	if inner := (*goja.Exception)(nil); c.err == nil || errors.As(c.err, &inner) {
		return
	}
	if text := c.err.Error(); !strings.Contains(message, text) {
		c.behind = ": " + text
	}
}

// Unwrap returns the error of Go's that is behind what was thrown, or nil.
func (c *cause) Unwrap() error { return c.err }

// As finds the [*goja.Exception]. It is not behind Unwrap: to look behind an exception may run the script.
func (c *cause) As(target any) bool {
	if t, ok := target.(**goja.Exception); ok && c.exception != nil {
		*t = c.exception
		return true
	}
	return false
}

// scriptError makes an error of what was thrown. It is called in a callback.
func (rt *Runtime) scriptError(v goja.Value, ex *goja.Exception) *ScriptError {
	d := rt.describeShort(v, ex)
	e := &ScriptError{Message: d.Message, Stack: d.Stack, cause: d.cause}
	e.Value, _ = gojavm.Export(rt.vm, v)
	return e
}

// thrown turns the engine's exceptions into errors that can be read anywhere.
func (rt *Runtime) thrown(err error) error {
	ex, ok := err.(*goja.Exception)
	if ok {
		return rt.scriptError(ex.Value(), ex)
	}
	if errors.As(err, &ex) {
		return &wrapped{text: err.Error(), err: err, script: rt.scriptError(ex.Value(), ex)}
	}
	return err
}

// A wrapped error is one around an exception: its text is made, and who looks behind it finds a ScriptError.
type wrapped struct {
	text   string
	err    error
	script *ScriptError
}

func (w *wrapped) Error() string { return w.text }

func (w *wrapped) Unwrap() error { return w.script }

// Is looks at the errors around the exception, and not at the exception.
func (w *wrapped) Is(target error) bool { return matches(w.err, target) }

func matches(err, target error) bool {
	if _, ok := err.(*goja.Exception); ok || err == nil {
		return false
	}
	if is, ok := err.(interface{ Is(error) bool }); err == target || ok && is.Is(target) {
		return true
	}
	switch behind := err.(type) {
	case interface{ Unwrap() error }:
		return matches(behind.Unwrap(), target)
	case interface{ Unwrap() []error }:
		return slices.ContainsFunc(behind.Unwrap(), func(err error) bool { return matches(err, target) })
	}
	return false
}

// maxCauses is how far the causes of an error are followed.
const maxCauses = 32

// goCause returns the error of Go's behind a value that was thrown: itself, or the cause of it, or of that.
func (rt *Runtime) goCause(v goja.Value) error {
	for range maxCauses {
		obj, ok := v.(*goja.Object)
		if !ok || obj.ClassName() != "Error" {
			return nil
		}
		if err := rt.goErrors.of(obj); err != nil {
			return err
		}
		if inner, ok := obj.Get("value").(*goja.Object); ok && gojavm.HoldsGoValue(inner) { // the engine's GoError
			if err, ok := inner.Export().(error); ok {
				return err
			}
		}
		v = obj.Get("cause")
	}
	return nil
}

// newError makes an Error of the script's for an error of Go's.
func (rt *Runtime) newError(err error) *goja.Object {
	if rt.opts.goErrors {
		return rt.vm.NewGoError(err)
	}
	obj := rt.newNodeError("Error", "", "", err.Error())
	rt.goErrors.keep(obj, err)
	return obj
}

// WithGoErrors lets scripts see errors of Go's: as the property value of a GoError, with the exported fields and methods of
// the error. By default they get an Error with the message, and nothing else.
func WithGoErrors() Option { return func(o *options) { o.goErrors = true } }

// goErrors knows which errors of Go's are behind Errors of the script, as long as the script has those.
type goErrors struct {
	mu sync.Mutex // for what follows: objects are collected on another goroutine
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
