package contracts_test

import (
	"context"
	"errors"
	"testing"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

func TestAVarOfAGlobalKeepsItsValue(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"or", `var performance = performance || 'none'; typeof performance.now`, "function"},
		{"bare", `var URL; typeof URL`, "function"},
		{"in a block", `if (false) { var setTimeout } typeof setTimeout`, "function"},
		{"in a loop", `for (var queueMicrotask of []) ; typeof queueMicrotask`, "function"},
		{"strict", `'use strict'; var structuredClone; typeof structuredClone`, "function"},
		{"this is strict", `'use strict'; var URL; (function() { return this === undefined })()`, "true"},
		{"replaced", `var atob = 1; typeof atob`, "number"},
		{"function", `var atob; function atob() { return 'own' } atob()`, "own"},
		{"left out", `var console; typeof console`, "undefined"},
		{"the value of a script", `5; var btoa`, "5"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			prg, err := gojaloop.Compile("declared.js", test.src)
			if err != nil {
				t.Fatal(err)
			}
			rt := gojaloop.New(eventloop.New(), gojaloop.Without(gojaloop.Console))
			err = rt.RunMain(t.Context(), func(vm *goja.Runtime) error {
				v, err := vm.RunProgram(prg)
				if err == nil && v.String() != test.want {
					t.Errorf("%s is %v, not %s", test.src, v, test.want)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

var errCallOver = errors.New("the call is over")

func TestADeadlineReachesAsyncFunctionsOfLaterSteps(t *testing.T) {
	loop := eventloop.New()
	rt := gojaloop.New(loop)
	go func() { _ = loop.Run(context.Background()) }()
	defer func() {
		_ = loop.Close()
		<-loop.Done()
	}()
	began := make(chan struct{}, 1)
	ended := make(chan error, 1)
	err := rt.Do(t.Context(), func(vm *goja.Runtime) error {
		_ = vm.Set("quick", rt.Async(func(context.Context, []any) (any, error) { return 1, nil }))
		_ = vm.Set("slow", rt.Async(func(ctx context.Context, _ []any) (any, error) {
			began <- struct{}{}
			<-ctx.Done()
			ended <- context.Cause(ctx)
			return nil, ctx.Err()
		}))
		_, err := vm.RunString(`async function first() { await slow() } async function later() { await quick(); await quick(); await slow() }`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"first", "later"} {
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			<-began
			cancel(errCallOver)
		}()
		if _, err := rt.CallFunction(ctx, name); err == nil {
			t.Errorf("%s has returned", name)
		}
		if cause := <-ended; cause != errCallOver {
			t.Errorf("%s: the function's context has ended with %v", name, cause)
		}
		cancel(nil)
	}
}
