package contracts_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// callBody compiles a body of a function (a, b), and calls it with 1 and 2.
func callBody(t *testing.T, body string) (v any, err error) {
	t.Helper()
	prg, err := gojaloop.CompileFunction("body.js", body, "a", "b")
	if err != nil {
		return nil, err
	}
	err = gojaloop.New(eventloop.New()).RunMain(context.Background(), func(vm *goja.Runtime) error {
		value, err := vm.RunProgram(prg)
		if err != nil {
			return err
		}
		fn, ok := goja.AssertFunction(value)
		if !ok {
			return fmt.Errorf("the program's value is %v", value)
		}
		result, err := fn(vm.ToValue("this"), vm.ToValue(1), vm.ToValue(2))
		if err == nil {
			v = result.Export()
		}
		return err
	})
	return v, err
}

func TestCompiledFunctionsAreFunctions(t *testing.T) {
	for _, c := range []struct {
		body string
		want any
	}{
		{"return a + b", int64(3)},
		{"'use strict'; return this", "this"},
		{"var a; return a", int64(1)},
		{"function a() {} return typeof a", "function"},
		{"const sum = () => arguments[0] + arguments.length; return sum()", int64(3)},
		{"return typeof new.target", "undefined"},
		{"return '\\u{10FFFF}'.length", int64(2)},
		{"a = 5; b.c = 1 // a comment ends the text", nil},
	} {
		if got, err := callBody(t, c.body); got != c.want || err != nil {
			t.Errorf("%s: got %v, %v; want %v", c.body, got, err, c.want)
		}
	}
}

func TestPositionsInCompiledFunctionsAreThoseOfTheirText(t *testing.T) {
	for body, want := range map[string]string{
		"null.x": "body.js:1:6",
		"const f = () => { throw new Error(a) }; f()": "body.js:1:25",
		"\n\n  null.x": "body.js:3:8",
	} {
		_, err := callBody(t, body)
		var uncaught *gojaloop.UncaughtError
		if !errors.As(err, &uncaught) || !strings.Contains(uncaught.Stack, want) {
			t.Errorf("%q: ended with %#v, which does not name %s", body, err, want)
		}
	}
}

func TestFunctionsThatDoNotParseAreRefused(t *testing.T) {
	for _, body := range []string{"let a", "}, {", "return (", "}) (function () {", strings.Repeat("[", 1<<20)} {
		_, err := callBody(t, body)
		var syntax *gojaloop.SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%.20q: compiled, or failed with %v", body, err)
		}
	}
}
