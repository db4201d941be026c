package gojaloop

import (
	"errors"
	"slices"
	"strings"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
)

// A ScriptError is an exception of a script, or the reason of its promise. It is made on the loop: reading it runs no
// script.
//
// Its cause may be an error of a Go function that the script let through, itself or as the cause of another.
// [errors.Is] and [errors.As] find that error. As also finds the [*goja.Exception]; call its methods on the loop
// only, because they may run the script. The text of the ScriptError includes the Go error's: "fetch failed" says
// why.
type ScriptError struct {
	// Value is the exception as [Runtime.Eval] returns values; nil if that is not possible.
	Value any

	// Message is the exception as a string: "TypeError: x is not a function".
	Message string

	// Stack has the frames of the script, one in each line. It may be empty if the exception is not an Error.
	Stack string

	cause
}

func (e *ScriptError) Error() string { return "gojaloop: the script threw " + e.Message + e.behind }

// cause is the origin of an exception.
type cause struct {
	exception *goja.Exception // or nil
	err       error           // of Go's
	behind    string          // its text, if the message does not contain it
}

// explain completes a message with the text of Go's error. An exception's text may run the script.
func (c *cause) explain(message string) {
	if inner := (*goja.Exception)(nil); c.err == nil || errors.As(c.err, &inner) {
		return
	}
	if text := c.err.Error(); !strings.Contains(message, text) {
		c.behind = ": " + text
	}
}

// Unwrap returns the Go error that caused the exception, or nil.
func (c *cause) Unwrap() error { return c.err }

// As finds the [*goja.Exception]. It is not behind Unwrap: to look behind an exception may run the script.
func (c *cause) As(target any) bool {
	if t, ok := target.(**goja.Exception); ok && c.exception != nil {
		*t = c.exception
		return true
	}
	return false
}

// scriptError makes an error of an exception. It is called in a callback.
func (rt *Runtime) scriptError(v goja.Value, ex *goja.Exception) *ScriptError {
	d := rt.describeShort(v, ex)
	e := &ScriptError{Message: d.Message, Stack: d.Stack, cause: d.cause}
	e.Value, _ = gojavm.Export(rt.vm.Runtime, v)
	return e
}

// thrown turns the engine's exceptions into errors that can be read anywhere.
func (rt *Runtime) thrown(err error) error {
	if err == nil {
		return nil
	}
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

// uncaughtError describes the end of a callback or an entry.
func (rt *Runtime) uncaughtError(err error, code int) error {
	var overflow *goja.StackOverflowError
	if errors.As(err, &overflow) {
		return &UncaughtError{Code: code, Message: "RangeError: Maximum call stack size exceeded",
			Stack: gojavm.FirstLines(gojavm.Frames(overflow.Stack()), 10), cause: cause{err: err}}
	}
	var ex *goja.Exception
	if errors.As(err, &ex) {
		return rt.describe(ex.Value(), ex, code)
	}
	return err
}

// describe turns a value that was thrown into an error.
func (rt *Runtime) describe(v goja.Value, ex *goja.Exception, code int) *UncaughtError {
	e := rt.describeShort(v, ex)
	e.Code = code
	_ = rt.vm.Try(func() { e.Detail = rt.vm.Inspect(v) })
	if text, ok := v.(goja.String); ok {
		e.Detail = text.String()
	}
	return e
}

// describeShort leaves out the detail, which takes most of the time. It reads the value with care: its properties may
// throw.
func (rt *Runtime) describeShort(v goja.Value, ex *goja.Exception) *UncaughtError {
	e := &UncaughtError{}
	if ex != nil {
		e.exception = ex
		e.Stack = gojavm.Frames(ex.Stack())
	}
	obj, isObject := v.(*goja.Object)
	_ = rt.vm.Try(func() {
		if isObject && obj.ClassName() == "Error" {
			e.Message = obj.String()
			if e.Stack == "" {
				e.Stack = gojavm.ScriptFrames(obj.Get("stack"))
			}
			return
		}
		e.Message = rt.vm.Inspect(v)
	})
	_ = rt.vm.Try(func() { e.err = rt.vm.GoCause(v) })
	if e.Message == "" {
		e.Message = "an exception that cannot be shown"
	}
	e.explain(e.Message)
	return e
}
