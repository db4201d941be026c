package sandbox_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/eventloop-go/eventloop/gojaloop/sandbox"
)

// panics is a result, and an error, whose methods fail.
type panics struct{}

func (panics) MarshalJSON() ([]byte, error) { panic("marshal") }
func (panics) Error() string                { panic("text") }

func TestFunctionsThatFailInAnyWayRejectThePromise(t *testing.T) {
	cycle := map[string]any{}
	cycle["self"] = cycle
	outcomes := map[string]struct {
		fn   sandbox.Function
		want string // in the error's message
	}{
		"ends":    {func(context.Context, sandbox.Arguments) (any, error) { runtime.Goexit(); return nil, nil }, "ended its goroutine"},
		"panics":  {func(context.Context, sandbox.Arguments) (any, error) { panic(panics{}) }, "panic"},
		"nil":     {func(context.Context, sandbox.Arguments) (any, error) { panic(nil) }, "panic"},
		"marshal": {func(context.Context, sandbox.Arguments) (any, error) { return panics{}, nil }, "marshal"},
		"text":    {func(context.Context, sandbox.Arguments) (any, error) { return nil, panics{} }, "text"},
		"channel": {func(context.Context, sandbox.Arguments) (any, error) { return make(chan int), nil }, "unsupported"},
		"cycle":   {func(context.Context, sandbox.Arguments) (any, error) { return cycle, nil }, "cycle"},
		"huge":    {func(context.Context, sandbox.Arguments) (any, error) { return strings.Repeat("x", 2<<20), nil }, "bytes"},
	}
	var options []sandbox.Option
	for name, outcome := range outcomes {
		options = append(options, sandbox.WithFunction(name, outcome.fn))
	}
	s := box(t, append(options, sandbox.WithMessageSize(1<<20), sandbox.WithRequests(1))...)
	for name, outcome := range outcomes {
		var got string
		if err := s.Eval(t.Context(), &got, `globalThis["`+name+`"]().then(() => "fulfilled", e => e.message)`); err != nil || !strings.Contains(got, outcome.want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestAScriptThatOverflowsTheEnginesStackGoesBeyondTheLimitOfStack(t *testing.T) {
	for name, attack := range map[string]func(s *sandbox.Sandbox) error{
		"script": func(s *sandbox.Sandbox) error { return s.Run(t.Context(), "", `const f = () => f() + 1; f()`) },
		"call": func(s *sandbox.Sandbox) error {
			return errors.Join(s.Run(t.Context(), "", `function f() { return f() + 1 }`), s.Call(t.Context(), nil, "f"))
		},
		"method": func(s *sandbox.Sandbox) error {
			return errors.Join(s.Run(t.Context(), "", `var o = { f() { return o.f() + 1 } }`), s.Call(t.Context(), nil, "o.f"))
		},
		"toJSON": func(s *sandbox.Sandbox) error {
			return s.Eval(t.Context(), nil, `const f = () => f() + 1; ({ toJSON: f })`)
		},
		"later": func(s *sandbox.Sandbox) error {
			return s.Eval(t.Context(), nil, `const f = () => f() + 1; Promise.resolve().then(f)`)
		},
		"getter": func(s *sandbox.Sandbox) error {
			return errors.Join(s.Run(t.Context(), "", `const f = () => f() + 1; Object.defineProperty(globalThis, 'g', { get: f })`), s.Call(t.Context(), nil, "g"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := attack(box(t)); !isLimit(sandbox.Stack)(err) {
				t.Error(err)
			}
		})
	}
}

func TestThousandsOfCallsAtOnce(t *testing.T) {
	s := box(t, sandbox.WithRequests(4000), sandbox.WithFunction("same", func(_ context.Context, args sandbox.Arguments) (any, error) { return args[0], nil }))
	if err := s.Run(t.Context(), "", `var n = 0; async function f(x) { n++; return same(x) }`); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 3000 {
		all.Go(func() {
			var got int
			if err := s.Call(t.Context(), &got, "f", i); err != nil || got != i {
				t.Error(got, err)
			}
		})
	}
	all.Wait()
	var n int
	if err := s.Eval(t.Context(), &n, `n`); err != nil || n != 3000 {
		t.Error(n, err)
	}
}

func TestLargeMessagesCrossBothWaysAtOnce(t *testing.T) {
	s := box(t, sandbox.WithFunction("same", func(_ context.Context, args sandbox.Arguments) (any, error) { return args[0], nil }))
	if err := s.Run(t.Context(), "", `const f = (text) => same(text), g = (text) => text`); err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("a long text ü ", 1<<16)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			var got string
			if err := s.Call(t.Context(), &got, []string{"f", "g"}[i%2], text); err != nil || got != text {
				t.Error(len(got), err)
			}
		})
	}
	all.Wait()
}

func TestAResultOfTheSizeThatIsAllowedIsTaken(t *testing.T) {
	s := box(t, sandbox.WithMessageSize(4096))
	var got string
	if err := s.Eval(t.Context(), &got, `'x'.repeat(4094)`); err != nil || len(got) != 4094 {
		t.Error(len(got), err)
	}
	if err := s.Eval(t.Context(), &got, `'x'.repeat(4096 + 64)`); !isLimit(sandbox.MessageSize)(err) {
		t.Error(err)
	}
}

func TestRunNeedsNoValueThatCrosses(t *testing.T) {
	s := box(t, sandbox.WithMessageSize(4096))
	for _, src := range []string{`globalThis`, `'x'.repeat(5000)`, `({ get a() { throw 1 } })`, `Promise.resolve(globalThis)`, `1n`, `Symbol()`} {
		if err := s.Run(t.Context(), "", src); err != nil {
			t.Errorf("%s: %v", src, err)
		}
	}
}

func TestContextsThatEndAtAnyTimeLeaveNoCallWaiting(t *testing.T) {
	for i := range 12 {
		ctx, cancel := context.WithCancelCause(t.Context())
		reason := errors.New("enough")
		done := make(chan struct{})
		go func() {
			defer close(done)
			for range 2000 * i { // from before the process starts until after it runs
				runtime.Gosched()
			}
			cancel(reason)
		}()
		s, err := sandbox.New(ctx)
		if err == nil {
			err = s.Run(ctx, "", `for (;;);`)
			_ = s.Close()
		}
		if !errors.Is(err, reason) {
			t.Error(err)
		}
		<-done
	}
}

func TestAPoolThatIsClosedDuringGetLeavesNobodyWaiting(t *testing.T) {
	for range 5 {
		p, err := sandbox.NewPool(sandbox.WithProcesses(1, 3))
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				if i == 4 {
					_ = p.Close()
					return
				}
				s, err := p.Get(t.Context())
				if err == nil {
					err = s.Run(t.Context(), "", `for (;;);`)
					_ = s.Close()
				}
				if !errors.Is(err, sandbox.ErrClosed) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if p.Ready() != 0 {
			s, err := p.Get(t.Context())
			t.Error("a pool that is closed gives", s, err)
		}
	}
}
