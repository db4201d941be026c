package nodecompat_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"
	original "github.com/dop251/goja_nodejs/eventloop"
	"github.com/dop251/goja_nodejs/require"
	"github.com/eventloop-go/eventloop/gojaloop/nodecompat"
)

// api has all methods of an event loop. Both types have them, so a program that changes its import compiles.
type api[T, I any] interface {
	Run(func(*goja.Runtime))
	Start()
	StartInForeground()
	Stop() int
	StopNoWait()
	Terminate()
	RunOnLoop(func(*goja.Runtime)) bool
	SetTimeout(func(*goja.Runtime), time.Duration) *T
	ClearTimeout(*T)
	SetInterval(func(*goja.Runtime), time.Duration) *I
	ClearInterval(*I)
}

var (
	_ api[original.Timer, original.Interval]     = (*original.EventLoop)(nil)
	_ api[nodecompat.Timer, nodecompat.Interval] = (*nodecompat.EventLoop)(nil)
)

// A subject is an event loop under test, of either package: handles are of type any.
type subject interface {
	Run(func(*goja.Runtime))
	Start()
	StartInForeground()
	Stop() int
	StopNoWait()
	Terminate()
	RunOnLoop(func(*goja.Runtime)) bool
	setTimeout(func(*goja.Runtime), time.Duration) any // nil if refused
	clearTimeout(any)
	setInterval(func(*goja.Runtime), time.Duration) any
	clearInterval(any)
}

type adapted[T, I any] struct{ api[T, I] }

func (a adapted[T, I]) setTimeout(fn func(*goja.Runtime), d time.Duration) any {
	if t := a.SetTimeout(fn, d); t != nil {
		return t
	}
	return nil
}

func (a adapted[T, I]) setInterval(fn func(*goja.Runtime), d time.Duration) any {
	if i := a.SetInterval(fn, d); i != nil {
		return i
	}
	return nil
}

func (a adapted[T, I]) clearTimeout(t any)  { a.ClearTimeout(t.(*T)) }
func (a adapted[T, I]) clearInterval(i any) { a.ClearInterval(i.(*I)) }

// config has the options of NewEventLoop, independent of both packages.
type config struct {
	noConsole bool
	registry  *require.Registry
}

// A maker makes event loops of one package.
type maker func(config) subject

func makeOurs(c config) subject {
	return adapted[nodecompat.Timer, nodecompat.Interval]{nodecompat.NewEventLoop(
		nodecompat.EnableConsole(!c.noConsole), nodecompat.WithRegistry(c.registry))}
}

func makeOriginal(c config) subject {
	return adapted[original.Timer, original.Interval]{original.NewEventLoop(
		original.EnableConsole(!c.noConsole), original.WithRegistry(c.registry))}
}

// deadline bounds a test's wait for an expected event. It passes only in a failing test.
var deadline = 20 * time.Second

// await waits for a channel to be closed or sent on.
func await[T any](t *testing.T, c <-chan T, what string) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(deadline):
		t.Fatalf("this did not happen in %v: %s", deadline, what)
	}
}

// returns fails the test if fn does not return.
func returns(t *testing.T, what string, fn func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		fn()
	}()
	await(t, done, what+" returns")
}

// panicOf returns the panic of fn, or nil.
func panicOf(fn func()) (v any) {
	defer func() { v = recover() }()
	fn()
	return nil
}

// script runs a script, which must not throw.
func script(t *testing.T, vm *goja.Runtime, src string) goja.Value {
	t.Helper()
	v, err := vm.RunString(src)
	if err != nil {
		t.Errorf("%s\nthrew %v", src, err)
	}
	return v
}

// expectValue runs the loop and compares the value of an expression, as a string.
func expectValue(t *testing.T, loop subject, expression, want string) {
	t.Helper()
	loop.Run(func(vm *goja.Runtime) {
		if v := script(t, vm, expression); v != nil && v.String() != want {
			t.Errorf("%s is %q, want %q", expression, v, want)
		}
	})
}

// signal makes a channel to close when something has happened.
func signal() chan struct{} { return make(chan struct{}) }

// goroutine names the goroutine it is called on.
func goroutine() string {
	buf := make([]byte, 64)
	name, _, _ := strings.Cut(string(buf[:runtime.Stack(buf, false)]), "[")
	return name
}
