package gojaloop

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
)

// ErrNotFunction says that a script has no function of a name.
var ErrNotFunction = errors.New("gojaloop: not a function")

// CallFunction calls a function of the script by its name and returns its result. If the result is a promise, it
// waits for the promise and returns its value. The name may be a path such as "handlers.onRequest". It begins with a
// global, or with a const, let or class at the top level of a script. A function at the end of a path is called as a
// method.
//
// Arguments are copied before CallFunction goes on. Strings, booleans, numbers and nil become the same in JavaScript,
// and a []byte an ArrayBuffer. A Go function becomes a function. Anything else is converted as [encoding/json] does
// it. A [goja.Value] of the runtime is passed unchanged. The result is as [Runtime.Eval] returns it; [Call] converts
// it.
//
// CallFunction must not be called on the loop. ctx limits the call and the wait for the promise.
//
// Errors: [ErrNotFunction]; *[ScriptError] if the function throws or its promise rejects; *[InterruptError] if ctx
// has ended. The latter matches ctx's cause. [ErrStopped] says that the runtime has stopped or its loop has ended.
// All errors of [Runtime.Eval] are possible too, and for an argument the errors of package json.
func (rt *Runtime) CallFunction(ctx context.Context, name string, args ...any) (any, error) {
	given := make([]gojavm.Argument, len(args))
	for i, arg := range args {
		var err error
		if given[i], err = gojavm.ArgumentOf(arg); err != nil {
			return nil, fmt.Errorf("gojaloop: argument %d of %s: %w", i+1, name, err)
		}
	}
	return rt.Await(ctx, func(*goja.Runtime) (goja.Value, error) {
		v, this, err := rt.lookUp(name)
		if err != nil {
			return nil, err
		}
		fn, _ := goja.AssertFunction(v)
		values := make([]goja.Value, len(given))
		for i, arg := range given {
			if values[i], err = arg.In(rt.vm.Runtime); err != nil {
				return nil, fmt.Errorf("gojaloop: argument %d of %s: %w", i+1, name, err)
			}
		}
		return fn(this, values...)
	})
}

// A Caller calls functions of scripts: a [Runtime] or a [Pool].
type Caller interface {
	CallFunction(ctx context.Context, name string, args ...any) (any, error)
}

// Call is CallFunction with a result of type T. A result that is a T is returned unchanged. Others are converted as
// [encoding/json] does it. So an object may become a struct, and undefined becomes the zero value. Its errors are
// CallFunction's, and package json's for a conversion.
func Call[T any](ctx context.Context, c Caller, name string, args ...any) (T, error) {
	v, err := c.CallFunction(ctx, name, args...)
	if err != nil {
		var zero T
		return zero, err
	}
	return gojavm.Convert[T](v)
}

// lookUp finds the function that a path names, and its receiver.
func (rt *Runtime) lookUp(path string) (fn, this goja.Value, err error) {
	first, rest, dotted := strings.Cut(path, ".")
	fn, err = rt.variable(first)
	this = goja.Undefined()
	for err == nil && dotted {
		obj, ok := fn.(*goja.Object)
		if !ok {
			return nil, nil, fmt.Errorf("%w: %q", ErrNotFunction, path)
		}
		this = obj
		first, rest, dotted = strings.Cut(rest, ".")
		fn = obj.Get(first)
	}
	if err != nil {
		return nil, nil, err
	}
	if _, ok := goja.AssertFunction(fn); !ok {
		return nil, nil, fmt.Errorf("%w: %q", ErrNotFunction, path)
	}
	return fn, this, nil
}

// variable returns the value of a variable of the global scope, which only a program can see: const and let are no
// properties of the global object.
func (rt *Runtime) variable(name string) (goja.Value, error) {
	prg := variableProgram(name)
	if prg == nil {
		return rt.vm.GlobalObject().Get(name), nil
	}
	return rt.vm.RunProgram(prg)
}

var identifier = regexp.MustCompile(`^[\p{L}_$][\p{L}\p{N}_$]*$`)

// variablePrograms keeps compiled programs for names. They are few, because Go programs contain the names as
// literals. At most variablesKept names made at run time are kept.
var variablePrograms struct {
	sync.Mutex
	m map[string]*goja.Program
}

const variablesKept = 1000

func variableProgram(name string) *goja.Program {
	p := &variablePrograms
	p.Lock()
	defer p.Unlock()
	prg, ok := p.m[name]
	if ok || !identifier.MatchString(name) {
		return prg
	}
	prg, err := goja.Compile(gojavm.OwnSource+"variable", "typeof "+name+" === 'undefined' ? undefined : "+name, true)
	if err != nil {
		prg = nil // a word of the language
	}
	if p.m == nil || len(p.m) >= variablesKept {
		p.m = make(map[string]*goja.Program)
	}
	p.m[name] = prg
	return prg
}
