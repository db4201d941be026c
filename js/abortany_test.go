package js_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/js"
)

// DOM 3.2.1, create a dependent abort signal.
func TestAnyFollowsTheFirstOfItsSignalsToAbort(t *testing.T) {
	scripted(t, func(s *script) {
		a, b := s.NewAbortController(), s.NewAbortController()
		either := s.AbortSignalAny(a.Signal(), nil, b.Signal(), a.Signal())
		s.onAbort(either, s.say("aborted"))
		if either.Aborted() {
			s.t.Error("aborted at once")
		}
		s.abort(b, errReason)
		s.abort(a, errors.New("second"))
		if either.Reason() != errReason {
			s.t.Errorf("reason %v", either.Reason())
		}
	}, "aborted")
}

func TestAnyOfAbortedSignalsIsBornAbortedWithTheReasonOfTheFirst(t *testing.T) {
	env := js.New(eventloop.New())
	c := env.NewAbortController()
	first, second := env.AbortSignalAbort(errReason), env.AbortSignalAbort(nil)
	if s := env.AbortSignalAny(c.Signal(), first, second); s.Reason() != errReason {
		t.Errorf("reason %v", s.Reason())
	}
	_ = c.Abort(errors.New("later"))
	if s := env.AbortSignalAny(env.AbortSignalAny(c.Signal()), first); s.Reason() != c.Signal().Reason() {
		t.Errorf("reason %v", s.Reason())
	}
}

func TestAnyOfNothingNeverAborts(t *testing.T) {
	env := js.New(eventloop.New())
	for _, s := range []*js.AbortSignal{env.AbortSignalAny(), env.AbortSignalAny(nil), env.AbortSignalAny(env.AbortSignalAny())} {
		if s.Aborted() {
			t.Error("aborted")
		}
	}
}

// The sources of dependent signals count, so a signal in between need not live.
func TestAnyOfAnyFollowsTheirSources(t *testing.T) {
	s := onLoop(t, func(s *script) { // in real time: cleanups are no part of synctest's bubble
		a, b := s.NewAbortController(), s.NewAbortController()
		nested := s.AbortSignalAny(s.AbortSignalAny(s.AbortSignalAny(a.Signal())), b.Signal())
		s.onAbort(nested, s.say("aborted"))
		collectGarbage()
		s.abort(a, errReason)
		if nested.Reason() != errReason {
			s.t.Errorf("reason %v", nested.Reason())
		}
	})
	if len(s.log) != 1 {
		t.Errorf("the listener was called %d times", len(s.log))
	}
}

// DOM 3.2, signal abort: all dependents are marked before anything is called, and called in order of their making.
func TestDependentsAreAbortedBeforeAnyListenerIsCalledAndCalledInOrder(t *testing.T) {
	scripted(t, func(s *script) {
		c := s.NewAbortController()
		var all []*js.AbortSignal
		check := func() {
			for _, d := range all {
				if !d.Aborted() {
					s.t.Error("a dependent is not aborted yet")
				}
			}
		}
		for i := range 20 {
			d := s.AbortSignalAny(c.Signal())
			all = append(all, d)
			s.onAbort(d, func() { check(); s.say(fmt.Sprint(i))() })
		}
		s.onAbort(c.Signal(), func() {
			check()
			s.say("source")()
			s.onAbort(all[0], s.say("added meanwhile")) // marked, but not called yet
			s.abort(c, errors.New("again"))
		})
		s.abort(c, nil)
	}, "source", "0", "added meanwhile", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19")
}

func TestAnyFollowsTimeouts(t *testing.T) {
	scripted(t, func(s *script) {
		long, _ := s.AbortSignalTimeout(1000)
		short, _ := s.AbortSignalTimeout(10)
		either := s.AbortSignalAny(long, short)
		s.onAbort(either, func() {
			s.say(fmt.Sprint(s.after(), errors.Is(either.Reason(), js.ErrTimeout)))()
		})
		s.timeout(func() {}, 20)
	}, "10 true")
}

// Each signal's listeners are called on its own loop: one signal may end the work of many.
func TestAnyJoinsSignalsOfSeveralLoops(t *testing.T) {
	server := js.New(eventloop.New())
	stop := server.NewAbortController()
	loop := eventloop.New(eventloop.WithAutoExit())
	request := js.New(loop)
	alive, err := loop.KeepAlive()
	if err != nil {
		t.Fatal(err)
	}
	s := request.AbortSignalAny(stop.Signal())
	_ = s.AddEventListener("abort", js.NewListener(func(*js.Event) {
		if !adapter.Of(loop).OnLoop() || s.Reason() != errReason {
			t.Errorf("on the loop: %v, reason %v", adapter.Of(loop).OnLoop(), s.Reason())
		}
		alive()
	}))
	go func() { _ = stop.Abort(errReason) }()
	if err := loop.Run(patience(t)); err != nil {
		t.Error(err)
	}
}

// patience bounds a run that should end by itself.
func patience(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// collectGarbage returns when the cleanups of the present garbage have run, as far as that can be observed.
func collectGarbage() {
	for range 2 {
		done := make(chan struct{})
		func() { runtime.AddCleanup(new([64]byte), func(c chan struct{}) { close(c) }, done) }()
		runtime.GC()
		<-done
	}
}

// heap returns the bytes in use, when garbage has gone.
func heap() int64 {
	collectGarbage()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// within fails unless growth falls below a bound. Cleanups run some time after a collection, so it tries several
// times.
func within(t *testing.T, before, bound int64) {
	t.Helper()
	var growth int64
	for range 50 {
		if growth = heap() - before; growth <= bound {
			return
		}
	}
	t.Errorf("the heap has grown by %d KB, want %d at most", growth>>10, bound>>10)
}

// DOM 3.2: dependents are referred to weakly. Each of these would take more than 200 bytes.
func TestLongLivedSignalKeepsNoneOf100000Dependents(t *testing.T) {
	env := js.New(eventloop.New())
	c := env.NewAbortController()
	ctx, end := context.WithCancel(context.Background())
	defer end()
	for name, one := range map[string]func(){
		"never listened to": func() { env.AbortSignalAny(c.Signal()) },
		"of dependents":     func() { env.AbortSignalAny(env.AbortSignalAny(c.Signal())) },
		"not any more": func() {
			s, l := env.AbortSignalAny(c.Signal()), js.NewListener(func(*js.Event) {})
			_ = s.AddEventListener("abort", l)
			s.RemoveEventListener("abort", l)
		},
		"with contexts that were cancelled": func() {
			_, cancel := env.AbortSignalAny(c.Signal()).Context(ctx)
			cancel()
		},
		"with contexts whose parents have ended": func() {
			parent, end := context.WithCancel(ctx)
			_, _ = c.Signal().Context(parent)
			end()
			runtime.Gosched() // each end starts a goroutine; the runtime keeps the memory of all that wait at a time
		},
		"with listeners that were removed": func() {
			target, l := env.NewEventTarget(), js.NewListener(func(*js.Event) {})
			_ = target.AddEventListener("x", l, js.WithSignal(env.AbortSignalAny(c.Signal())))
			target.RemoveEventListener("x", l)
		},
		"aborted through another": func() {
			other := env.NewAbortController()
			_ = env.AbortSignalAny(c.Signal(), other.Signal()).AddEventListener("abort", js.NewListener(func(*js.Event) {}), js.WithOnce(), js.WithSignal(other.Signal()))
			_ = other.Abort(nil)
		},
		"signals from a context that were stopped": func() {
			_, stop := env.AbortSignalFromContext(ctx)
			stop()
		},
	} {
		t.Run(name, func(t *testing.T) {
			before := heap()
			n := 20_000
			if name == "never listened to" {
				n = 100_000
			}
			for range n {
				one()
			}
			within(t, before, 1<<20)
		})
	}
	runtime.KeepAlive(c)
}

func TestTimeoutsThatNobodyWaitsForAreCollectedWithTheirTimers(t *testing.T) {
	loop := eventloop.New(inspect.WithMetrics())
	env := js.New(loop)
	for range 10_000 {
		_, _ = env.AbortSignalTimeout(1e9)
	}
	go func() { _ = loop.Run(context.Background()) }()
	deadline := time.Now().Add(20 * time.Second)
	for left := inspect.ReadMetrics(loop).Queued.Timers; left > 10; left = inspect.ReadMetrics(loop).Queued.Timers {
		if time.Now().After(deadline) {
			t.Fatalf("%d timers are left", left)
		}
		collectGarbage()
	}
	_ = loop.Close()
	<-loop.Done()
}

func TestSignalsThatSomethingWaitsForAreKept(t *testing.T) {
	loop := eventloop.New(eventloop.WithAutoExit())
	env := js.New(loop)
	c, target := env.NewAbortController(), env.NewEventTarget()
	alive, _ := loop.KeepAlive()
	log := make(chan string, 8)
	say := func(what string) *js.Listener { return js.NewListener(func(*js.Event) { log <- what }) }

	_ = env.AbortSignalAny(c.Signal()).AddEventListener("abort", say("listener"))
	ctx, _ := env.AbortSignalAny(c.Signal()).Context(context.Background()) // cancel would refer to the signal
	_ = target.AddEventListener("x", say("removed"), js.WithSignal(env.AbortSignalAny(c.Signal())))
	short, _ := env.AbortSignalTimeout(10)
	_ = env.AbortSignalAny(short).AddEventListener("abort", js.NewListener(func(*js.Event) { _ = c.Abort(errReason) }))
	alone, _ := env.AbortSignalTimeout(20)
	_ = alone.AddEventListener("abort", js.NewListener(func(*js.Event) {
		_, _ = target.DispatchEvent(env.NewEvent("x"))
		log <- "timeout"
		alive()
	}))
	short, alone = nil, nil
	collectGarbage()
	if err := loop.Run(patience(t)); err != nil {
		t.Fatal(err)
	}
	close(log)
	var got []string
	for what := range log {
		got = append(got, what)
	}
	if len(got) != 2 || got[0] != "listener" || got[1] != "timeout" || context.Cause(ctx) != errReason {
		t.Errorf("called %q, the context's cause is %v", got, context.Cause(ctx))
	}
}

// Each request has a loop, and all share one signal. Listeners that are never removed end with their loop.
func TestLongLivedSignalKeepsNoListenersOfLoopsThatHaveEnded(t *testing.T) {
	c := js.New(eventloop.New()).NewAbortController()
	before := heap()
	for range 500 {
		loop := eventloop.New()
		env := js.New(loop)
		ballast := make([]byte, 100<<10)
		timeout, _ := env.AbortSignalTimeout(1e9)
		_ = env.AbortSignalAny(c.Signal(), timeout).AddEventListener("abort", js.NewListener(func(*js.Event) { ballast[0]++ }))
		_ = loop.Close()
	}
	within(t, before, 64*100<<10) // those that came after it last looked
	runtime.KeepAlive(c)
}

// Reference: a dependent is aborted if and only if one of its sources is, whenever these abort.
func TestDependentsThatAreMadeWhileSourcesAbortMissNothing(t *testing.T) {
	env := js.New(eventloop.New())
	for range 2000 {
		a, b := env.NewAbortController(), env.NewAbortController()
		between := env.AbortSignalAny(a.Signal())
		var racing sync.WaitGroup
		racing.Go(func() { _ = a.Abort(errReason) })
		var made [3]*js.AbortSignal
		racing.Go(func() {
			made[0] = env.AbortSignalAny(b.Signal(), a.Signal())
			made[1] = env.AbortSignalAny(between, b.Signal())
			made[2] = env.AbortSignalAny(made[0], made[1])
		})
		ctx, cancel := between.Context(context.Background())
		racing.Wait()
		for i, s := range made {
			if s.Reason() != errReason {
				t.Fatalf("signal %d: reason %v", i, s.Reason())
			}
		}
		if context.Cause(ctx) != errReason {
			t.Fatalf("cause %v", context.Cause(ctx))
		}
		cancel()
	}
}
