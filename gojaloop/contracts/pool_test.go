package contracts_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// newPool makes a pool whose runtimes have run a script; it is shut down at the end of the test.
func newPool(t *testing.T, src string, config gojaloop.PoolConfig) *gojaloop.Pool {
	t.Helper()
	prg, err := gojaloop.Compile("pool.js", src)
	if err != nil {
		t.Fatal(err)
	}
	config.Program = prg
	pool, err := gojaloop.NewPool(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := pool.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return pool
}

func mustCall[T any](t *testing.T, c gojaloop.Caller, name string, args ...any) T {
	t.Helper()
	v, err := gojaloop.Call[T](t.Context(), c, name, args...)
	if err != nil {
		t.Error(err)
	}
	return v
}

func TestCallsOfAPoolShareNothing(t *testing.T) {
	module := func(path string) ([]byte, error) {
		if strings.HasSuffix(path, "/counter.js") {
			return []byte(`let n = 0; module.exports = () => ++n`), nil
		}
		return nil, fs.ErrNotExist
	}
	pool := newPool(t, `
		let globals = 0, left = [];
		function use() {
			const got = [++globals, require('/counter.js')(), Array.prototype.patched, left.length].join();
			Array.prototype.patched = true;
			setTimeout(() => left.push('timer'), 1);
			setInterval(() => left.push('interval'), 1);
			new Promise((resolve) => setImmediate(resolve)).then(() => left.push('promise'));
			return got;
		}`, gojaloop.PoolConfig{Size: 1, Options: []gojaloop.Option{gojaloop.WithModules(module)}})
	for range 5 {
		if got := mustCall[string](t, pool, "use"); got != "1,1,,0" {
			t.Errorf("a call found %s of those before", got)
		}
	}
}

func TestRuntimeIsUsedAgainAsOftenAsTheConfigurationSays(t *testing.T) {
	pool := newPool(t, `let n = 0; const count = () => ++n`, gojaloop.PoolConfig{Size: 1, MaxUses: 3})
	for _, want := range []int{1, 2, 3, 1, 2, 3, 1} {
		if got := mustCall[int](t, pool, "count"); got != want {
			t.Errorf("got %d, want %d", got, want)
		}
	}
	if s := pool.Stats(); s.Uses != 7 || s.Made != 3 || s.Replaced != 2 || s.Idle != 1 {
		t.Errorf("%+v", s)
	}
}

func TestRuntimeWithSomethingUnderWayIsNotUsedAgain(t *testing.T) {
	for name, leaves := range map[string]string{
		"timer":              `setTimeout(() => {}, 1e6)`,
		"unreferenced timer": `setTimeout(() => {}, 1e6).unref()`,
		"interval":           `setInterval(() => {}, 1e6)`,
		"timeout of signal":  `AbortSignal.timeout(1e6)`,
		"operation":          `blocks()`,
		"exit":               `setTimeout(() => process.exit(0), 0); await new Promise((r) => setTimeout(r, 1))`,
	} {
		t.Run(name, func(t *testing.T) {
			pool := newPool(t, `let n = 0; async function use() { if (++n === 1) { `+leaves+` } return n }`,
				gojaloop.PoolConfig{Size: 1, MaxUses: 10, Prepare: func(ctx context.Context, rt *gojaloop.Runtime) error {
					blocks := rt.Async(func(ctx context.Context, _ []any) (any, error) { <-ctx.Done(); return nil, nil })
					return rt.Do(ctx, func(vm *goja.Runtime) error { return vm.Set("blocks", blocks) })
				}})
			for range 2 {
				got, err := pool.CallFunction(t.Context(), "use")
				if name == "exit" && errors.Is(err, gojaloop.ErrStopped) {
					continue
				}
				if got != int64(1) || err != nil {
					t.Errorf("use %v, %v", got, err)
				}
			}
		})
	}
}

func TestRuntimeWhoseUseFailedIsNotUsedAgain(t *testing.T) {
	pool := newPool(t, `let n = 0; const count = () => ++n; const endless = () => { n++; for (;;); }`, gojaloop.PoolConfig{Size: 1, MaxUses: 10})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := pool.CallFunction(ctx, "endless"); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if n := mustCall[int](t, pool, "count"); n != 1 {
		t.Errorf("after a call that was ended, the runtime is used again: %d", n)
	}
	func() {
		defer func() { _ = recover() }()
		_ = pool.Do(t.Context(), func(context.Context, *gojaloop.Runtime) error { panic("made by the test") })
	}()
	if n := mustCall[int](t, pool, "count"); n != 1 {
		t.Errorf("after a panic, the runtime is used again: %d", n)
	}
	if n := mustCall[int](t, pool, "count"); n != 2 {
		t.Errorf("after a good use, the runtime is not used again: %d", n)
	}
}

func TestScriptThatGoCodeLeavesRunningIsEndedWithItsRuntime(t *testing.T) {
	pool := newPool(t, `const f = () => 1`, gojaloop.PoolConfig{Size: 1})
	began := make(chan struct{})
	err := pool.Do(t.Context(), func(_ context.Context, rt *gojaloop.Runtime) error {
		err := rt.Submit(func(vm *goja.Runtime) {
			close(began)
			_, _ = vm.RunString(`for (;;);`)
		})
		<-began
		return err
	})
	if n := mustCall[int](t, pool, "f"); n != 1 || err != nil {
		t.Errorf("got %d, %v", n, err)
	}
}

func TestNoMoreRuntimesAreUsedThanThePoolHas(t *testing.T) {
	const size, calls = 3, 60
	pool := newPool(t, `const wait = (ms) => new Promise((r) => setTimeout(r, ms))`, gojaloop.PoolConfig{Size: size, MaxUses: 7})
	var now, most atomic.Int64
	var all sync.WaitGroup
	for range calls {
		all.Go(func() {
			err := pool.Do(t.Context(), func(ctx context.Context, rt *gojaloop.Runtime) error {
				n := now.Add(1)
				defer now.Add(-1)
				for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
				}
				_, err := rt.CallFunction(ctx, "wait", 1)
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	s := pool.Stats()
	if most.Load() > size || s.Uses != calls || s.InUse != 0 || s.Waiting != 0 || s.Idle+s.Making > size {
		t.Errorf("%d runtimes were used at a time; %+v", most.Load(), s)
	}
}

func TestWaitForARuntimeEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := newPool(t, `1`, gojaloop.PoolConfig{Size: 1})
		release := make(chan struct{})
		held := make(chan error, 1)
		go func() {
			held <- pool.Do(t.Context(), func(context.Context, *gojaloop.Runtime) error { <-release; return nil })
		}()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		waited := make(chan error, 1)
		go func() {
			waited <- pool.Do(ctx, func(context.Context, *gojaloop.Runtime) error { return errors.New("it was called") })
		}()
		synctest.Wait()
		if s := pool.Stats(); s.Waiting != 1 || s.InUse != 1 || s.Idle != 0 {
			t.Errorf("%+v", s)
		}
		if err := <-waited; !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		close(release)
		if err := <-held; err != nil {
			t.Error(err)
		}
	})
}

func TestCallsThatWaitAreServedInTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := newPool(t, `1`, gojaloop.PoolConfig{Size: 1, MaxUses: 2})
		var order []int
		var all sync.WaitGroup
		for i := range 5 {
			all.Go(func() {
				_ = pool.Do(t.Context(), func(context.Context, *gojaloop.Runtime) error {
					order = append(order, i) // one call has the only runtime
					time.Sleep(time.Second)
					return nil
				})
			})
			synctest.Wait()
		}
		all.Wait()
		if fmt.Sprint(order) != "[0 1 2 3 4]" {
			t.Error(order)
		}
	})
}

func TestEachUseIsLimited(t *testing.T) {
	pool := newPool(t, `const endless = () => { for (;;); }`, gojaloop.PoolConfig{Timeout: 10 * time.Millisecond})
	if _, err := pool.CallFunction(t.Context(), "endless"); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestPoolWhoseRuntimesCannotBeMadeSaysWhy(t *testing.T) {
	prg, err := gojaloop.Compile("bad.js", `throw new TypeError('at the start')`)
	if err != nil {
		t.Fatal(err)
	}
	var thrown *gojaloop.ScriptError
	if _, err = gojaloop.NewPool(t.Context(), gojaloop.PoolConfig{Program: prg}); !errors.As(err, &thrown) {
		t.Error(err)
	}
	made := 0
	pool := newPool(t, `const f = () => 1`, gojaloop.PoolConfig{Size: 1, Prepare: func(context.Context, *gojaloop.Runtime) error {
		if made++; made == 2 {
			return errMade
		}
		return nil
	}})
	mustCall[int](t, pool, "f")
	var failed error
	for range 2 { // the first finds that the second runtime could not be made, if it asks before that is known
		if _, err := pool.CallFunction(t.Context(), "f"); err != nil {
			failed = err
		}
	}
	if failed != nil && !errors.Is(failed, errMade) {
		t.Error(failed)
	}
	mustCall[int](t, pool, "f")
}

func TestShutdownEndsAPoolAndWaitsForItsCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := newPool(t, `const wait = (ms) => new Promise((r) => setTimeout(r, ms, ms))`, gojaloop.PoolConfig{Size: 1})
		results := make(chan any, 2)
		call := func() {
			v, err := pool.CallFunction(context.Background(), "wait", 1000)
			if err != nil {
				v = err
			}
			results <- v
		}
		go call()
		synctest.Wait()
		go call()
		synctest.Wait()
		if err := pool.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if v := <-results; v != gojaloop.ErrPoolClosed {
			t.Errorf("the call that waited got %v", v)
		}
		if v := <-results; v != int64(1000) {
			t.Errorf("the call under way got %v", v)
		}
		if _, err := pool.CallFunction(t.Context(), "wait"); err != gojaloop.ErrPoolClosed {
			t.Error(err)
		}
		if s := pool.Stats(); s.Idle+s.InUse+s.Making != 0 || s.Made != s.Replaced {
			t.Errorf("%+v", s)
		}
	})
}

func TestShutdownThatIsCutShortEndsCalls(t *testing.T) {
	pool := newPool(t, `const endless = () => { for (;;); }`, gojaloop.PoolConfig{Size: 1})
	ended := make(chan error, 1)
	began := make(chan struct{})
	go func() {
		ended <- pool.Do(context.Background(), func(ctx context.Context, rt *gojaloop.Runtime) error {
			close(began)
			_, err := rt.CallFunction(ctx, "endless")
			return err
		})
	}()
	<-began
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := pool.Shutdown(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, gojaloop.ErrPoolClosed) {
		t.Error(err)
	}
}

func TestPrepareThatDoesNotReturnFailsTheCallThatWaits(t *testing.T) {
	for kind, leave := range map[any]func(){
		"oops":              func() { panic("oops") },
		eventloop.ErrGoexit: runtime.Goexit,
	} {
		var made atomic.Int32
		config := gojaloop.PoolConfig{Size: 1, Prepare: func(context.Context, *gojaloop.Runtime) error {
			if made.Add(1) == 2 {
				leave()
			}
			return nil
		}}
		pool := newPool(t, `const f = () => 1`, config)
		mustCall[int](t, pool, "f")
		// The second call waits for the runtime that cannot be made, or comes when the pool has given up and makes another.
		_, err := pool.CallFunction(t.Context(), "f")
		if p := (*eventloop.PanicError)(nil); err != nil && (!errors.As(err, &p) || p.Value != kind) {
			t.Errorf("%v: %v", kind, err)
		}
		mustCall[int](t, pool, "f")

		_, err = gojaloop.NewPool(t.Context(), gojaloop.PoolConfig{Prepare: func(context.Context, *gojaloop.Runtime) error {
			leave()
			return nil
		}})
		if p := (*eventloop.PanicError)(nil); !errors.As(err, &p) || p.Value != kind {
			t.Errorf("NewPool, %v: %v", kind, err)
		}
	}
}

func TestAPoolReportsAFailedStartToNoCallThatCameAfterIt(t *testing.T) {
	var starts atomic.Int64
	hold, failing := make(chan struct{}), make(chan struct{})
	errFirst := errors.New("the first start fails")
	pool := newPool(t, `function f() { return 1 }`, gojaloop.PoolConfig{
		Size: 1,
		Prepare: func(context.Context, *gojaloop.Runtime) error {
			if starts.Add(1) == 2 { // the one that replaces the first runtime
				close(failing)
				<-hold
				return errFirst
			}
			return nil
		},
	})
	mustCall[int](t, pool, "f")
	<-failing
	called := make(chan error, 1)
	go func() {
		_, err := pool.CallFunction(t.Context(), "f")
		called <- err
	}()
	for pool.Stats().Waiting == 0 {
		runtime.Gosched()
	}
	close(hold)
	if err := <-called; err != nil {
		t.Errorf("a call that came after the start got its error: %v", err)
	}
}
