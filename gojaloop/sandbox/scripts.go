package sandbox

import (
	_ "embed"
	"encoding/json"
	"errors"

	"github.com/dop251/goja"
)

// scripts handles a child's messages in its runtime. Calls with simple values, the most frequent ones, are handled in
// Go. All else is handled by child.js, where it is easier to write. For two numbers the engine's JSON takes longer
// than the pipe.
type scripts struct {
	send                      func(*message)
	call, settle, fail, reply goja.Callable // of child.js
}

//go:embed child.js
var prelude string

// setUp makes the global functions.
func (s *scripts) setUp(vm *goja.Runtime, given settings, send func(*message)) error {
	s.send = send
	setUp, err := vm.RunScript("sandbox", prelude)
	if err != nil {
		return err
	}
	start, _ := goja.AssertFunction(setUp)
	made, err := start(goja.Undefined(),
		vm.ToValue(given.Functions),
		vm.ToValue(given.Requests),
		vm.ToValue(func(a goja.FunctionCall) goja.Value { // id, name, args
			send(&message{Kind: call, ID: uint64(a.Argument(0).ToInteger()), Name: a.Argument(1).String(), Value: json.RawMessage(a.Argument(2).String())})
			return goja.Undefined()
		}),
		vm.ToValue(func(a goja.FunctionCall) goja.Value { // id, value
			m := &message{Kind: result, ID: uint64(a.Argument(0).ToInteger())}
			if value := a.Argument(1); !goja.IsUndefined(value) {
				m.Value = json.RawMessage(value.String())
			}
			send(m)
			return goja.Undefined()
		}),
		vm.ToValue(func(a goja.FunctionCall) goja.Value { // id, name, message, stack
			e := &ScriptError{Name: a.Argument(1).String(), Message: a.Argument(2).String(), Stack: a.Argument(3).String()}
			send(&message{Kind: result, ID: uint64(a.Argument(0).ToInteger()), Error: e})
			return goja.Undefined()
		}))
	if err != nil {
		return err
	}
	functions := made.ToObject(vm)
	for name, to := range map[string]*goja.Callable{"call": &s.call, "settle": &s.settle, "fail": &s.fail, "reply": &s.reply} {
		*to, _ = goja.AssertFunction(functions.Get(name))
	}
	return nil
}

// invoke calls a function for m and sends its result. An error is one of the engine's.
func (s *scripts) invoke(vm *goja.Runtime, m *message) error {
	args, simple := arguments(vm, m.Value)
	var function goja.Callable
	if simple {
		// child.js handles values other than functions, and getters that throw.
		_ = vm.Try(func() { function, _ = goja.AssertFunction(vm.GlobalObject().Get(m.Name)) })
	}
	if function == nil {
		_, err := s.call(goja.Undefined(), vm.ToValue(m.ID), vm.ToValue(m.Name), vm.ToValue(string(m.Value)))
		return err
	}
	value, err := function(goja.Undefined(), args...)
	return s.end(vm, m, value, err)
}

// end sends what a script has returned or thrown, now, or when the promise that it has returned is settled.
func (s *scripts) end(vm *goja.Runtime, m *message, value goja.Value, err error) error {
	var exception *goja.Exception
	switch {
	case errors.As(err, &exception):
		_, err = s.fail(goja.Undefined(), vm.ToValue(m.ID), exception.Value())
		return err
	case err != nil:
		return err
	}
	if _, object := value.(*goja.Object); m.NoValue && !object {
		value = goja.Undefined() // not even a promise
	}
	if text, simple := simpleJSON(value); simple {
		s.send(&message{Kind: result, ID: m.ID, Value: text})
		return nil
	}
	_, err = s.settle(goja.Undefined(), vm.ToValue(m.ID), value, vm.ToValue(m.NoValue))
	return err
}

// answer settles the promise of a call of Go's.
func (s *scripts) answer(vm *goja.Runtime, m *message) error {
	value, failed := goja.Undefined(), goja.Undefined()
	if m.Error != nil {
		failed = vm.ToValue(m.Error.Message)
	}
	parsed := goja.Undefined()
	if m.Value != nil {
		if v, ok := simpleValue(vm, m.Value); ok {
			parsed = v
		} else {
			value = vm.ToValue(string(m.Value))
		}
	}
	_, err := s.reply(goja.Undefined(), vm.ToValue(m.ID), value, failed, parsed)
	return err
}
