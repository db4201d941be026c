package aplus

import "github.com/dop251/goja"

// adapter gives JavaScript the object that the suite drives promises through.
func (r *runner) adapter() {
	deferred := func() map[string]any {
		p, resolve, reject := r.impl.Deferred()
		return map[string]any{
			"promise": r.object(p),
			"resolve": func(v goja.Value) { r.resolve(v, resolve, reject) },
			"reject":  func(v goja.Value) { reject(v) },
		}
	}
	_ = r.vm.Set("adapter", map[string]any{
		"deferred": deferred,
		"resolved": func(v goja.Value) *goja.Object {
			p, resolve, reject := r.impl.Deferred()
			r.resolve(v, resolve, reject)
			return r.object(p)
		},
		"rejected": func(v goja.Value) *goja.Object {
			p, _, reject := r.impl.Deferred()
			reject(v)
			return r.object(p)
		},
	})
}

// object returns the JavaScript object for p.
func (r *runner) object(p Promise) *goja.Object {
	if o := r.objects[p]; o != nil {
		return o
	}
	o := r.vm.NewObject()
	r.objects[p], r.promises[o] = o, p
	_ = o.Set("then", func(call goja.FunctionCall) goja.Value {
		return r.object(p.Then(r.handler(call.Argument(0)), r.handler(call.Argument(1))))
	})
	return o
}

// handler makes a Handler of a JavaScript value, or nil if it is not a function.
func (r *runner) handler(v goja.Value) Handler {
	fn, ok := goja.AssertFunction(v)
	if !ok {
		return nil
	}
	return func(arg any) (any, bool) {
		result, err := fn(goja.Undefined(), r.value(arg))
		if err != nil {
			return r.reason(err), true
		}
		return r.resolution(result)
	}
}

// resolve resolves with a JavaScript value.
func (r *runner) resolve(v goja.Value, resolve, reject func(any)) {
	if x, threw := r.resolution(v); threw {
		reject(x)
	} else {
		resolve(x)
	}
}

// resolution classifies v for resolving with it, and then looks up its method then, once. These are the steps of the
// procedure that only the engine can do. For an object of ours it returns the promise behind it.
func (r *runner) resolution(v goja.Value) (x any, threw bool) {
	o, ok := v.(*goja.Object)
	if !ok {
		return v, false
	}
	if p := r.promises[o]; p != nil {
		return p, false
	}
	var then goja.Value
	if err := r.vm.Try(func() { then = o.Get("then") }); err != nil {
		return err.Value(), true
	}
	fn, ok := goja.AssertFunction(then)
	if !ok {
		return v, false
	}
	return &thenable{r, o, fn}, false
}

type thenable struct {
	r      *runner
	object *goja.Object
	then   goja.Callable
}

// Call implements [Thenable].
func (t *thenable) Call(resolve, reject func(any)) (any, bool) {
	_, err := t.then(t.object,
		t.r.vm.ToValue(func(call goja.FunctionCall) goja.Value {
			t.r.resolve(call.Argument(0), resolve, reject)
			return goja.Undefined()
		}),
		t.r.vm.ToValue(func(call goja.FunctionCall) goja.Value {
			reject(call.Argument(0))
			return goja.Undefined()
		}))
	if err != nil {
		return t.r.reason(err), true
	}
	return nil, false
}

// reason returns the JavaScript value that a function threw.
func (r *runner) reason(err error) any {
	if ex, ok := err.(*goja.Exception); ok {
		return ex.Value()
	}
	panic(err) // interrupted, or a Go panic: not a matter of the test
}

// value makes a JavaScript value of a handler's argument.
func (r *runner) value(v any) goja.Value {
	switch x := v.(type) {
	case goja.Value:
		return x
	case Promise:
		return r.object(x)
	case error:
		// While the suite runs, an implementation itself makes only one error: for a promise resolved with itself.
		e, err := r.vm.New(r.vm.Get("TypeError"), r.vm.ToValue(x.Error()))
		if err != nil {
			panic(err)
		}
		return e
	default:
		return r.vm.ToValue(v)
	}
}
