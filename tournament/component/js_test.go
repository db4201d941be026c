package component

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/eventloop-go/eventloop/js"
)

func queueMicrotasks(b *testing.B, counted bool) {
	l := loopUp(b)
	e := js.New(l)
	ran := 0
	fn := func() { ran++ }
	laps(b, counted, func(n int) {
		for range n {
			_ = e.QueueMicrotask(fn)
		}
	}, func() { drain(b, l) })
	expect(b, "microtasks", ran, b.N)
}

func BenchmarkQueueMicrotask(b *testing.B)         { queueMicrotasks(b, besides) }
func BenchmarkQueueMicrotask_Drained(b *testing.B) { queueMicrotasks(b, within) }

// cleared sets and clears timeouts. Node's shortest timeout is a millisecond, and the machine may stop us for that
// long. cleared reports the timeouts that fired nevertheless.
func cleared(b *testing.B, set func(e *js.Env, fn func()) (uint64, error), clear func(e *js.Env, id uint64) bool) {
	l := loopUp(b)
	e := js.New(l)
	hit, ran := 0, 0
	fn := func() { ran++ }
	laps(b, besides, func(n int) {
		for range n {
			if id, err := set(e, fn); err == nil && clear(e, id) {
				hit++
			}
		}
	}, func() { drain(b, l) })
	if ran > 0 {
		b.Logf("%d of %d ran before they were cleared", ran, b.N)
	}
	expect(b, "cleared or run", hit+ran, b.N)
}

func setTimeout(e *js.Env, fn func()) (uint64, error)   { return e.SetTimeout(fn, 0) }
func setInterval(e *js.Env, fn func()) (uint64, error)  { return e.SetInterval(fn, 1000) }
func setImmediate(e *js.Env, fn func()) (uint64, error) { return e.SetImmediate(fn) }

func BenchmarkSetTimeoutZeroDelay(b *testing.B)   { cleared(b, setTimeout, (*js.Env).ClearTimeout) }
func BenchmarkSetTimeout_Optimized(b *testing.B)  { cleared(b, setTimeout, (*js.Env).ClearTimeout) }
func BenchmarkSetInterval_Optimized(b *testing.B) { cleared(b, setInterval, (*js.Env).ClearInterval) }
func BenchmarkSetImmediate_Optimized(b *testing.B) {
	cleared(b, setImmediate, (*js.Env).ClearImmediate)
}

// fires sets a lap of them on the loop and waits until each has run once.
func fires(b *testing.B, set func(e *js.Env, fn func()) (uint64, error)) {
	l := loopUp(b)
	e := js.New(l)
	ran, goal := 0, 0
	done := make(chan struct{}, 1)
	fn := func() {
		if ran++; ran == goal {
			done <- struct{}{}
		}
	}
	laps(b, within, func(n int) {
		on(b, l, func() {
			goal = ran + n
			for range n {
				_, _ = set(e, fn)
			}
		})
	}, func() { <-done })
	expect(b, "callbacks", ran, b.N)
}

// setIntervalOnce sets an interval of Node's shortest period that ends when it has fired.
func setIntervalOnce(e *js.Env, fn func()) (id uint64, err error) {
	id, err = e.SetInterval(func() { e.ClearInterval(id); fn() }, 1)
	return id, err
}

func BenchmarkSetTimeoutZeroDelay_Fired(b *testing.B)    { fires(b, setTimeout) }
func BenchmarkSetTimeout_Optimized_Fired(b *testing.B)   { fires(b, setTimeout) }
func BenchmarkSetInterval_Optimized_Fired(b *testing.B)  { fires(b, setIntervalOnce) }
func BenchmarkSetImmediate_Optimized_Fired(b *testing.B) { fires(b, setImmediate) }

// BenchmarkSetInterval_Parallel_Optimized_Fired has all processors set intervals that fire once.
func BenchmarkSetInterval_Parallel_Optimized_Fired(b *testing.B) {
	l := loopUp(b)
	e := js.New(l)
	var pending sync.WaitGroup
	var ran atomic.Int64
	fire := func() { ran.Add(1); pending.Done() }
	parallelLaps(b, within, 1, func() {
		pending.Add(1)
		var id atomic.Uint64
		set, err := e.SetInterval(func() {
			// The first period may end before SetInterval has returned; then the interval is cleared at the next.
			if e.ClearInterval(id.Load()) {
				fire()
			}
		}, 1)
		if err != nil {
			pending.Done()
		}
		id.Store(set)
	}, pending.Wait)
	expect(b, "intervals", int(ran.Load()), b.N)
}

func BenchmarkSetInterval_Parallel_Optimized(b *testing.B) {
	e := js.New(loopUp(b))
	var hit atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		n := int64(0)
		for pb.Next() {
			if id, err := e.SetInterval(nothing, 1000); err == nil && e.ClearInterval(id) {
				n++
			}
		}
		hit.Add(n)
	})
	expect(b, "intervals cleared", int(hit.Load()), b.N)
}
