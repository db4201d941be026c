package bench

import (
	"context"
	"fmt"
	"testing"

	. "github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// Every benchmark counts the callbacks that ran, and fails if the count is wrong. Benchmarks that keep a loop busy
// from inside submit in chunks, so that turns, timers and memory behave as in a live loop.
const chunk = 1024

// Measured code ignores errors: the counts reveal them.

// benchLoop is running, ready to be measured: it has run something already.
func benchLoop(b *testing.B, opts ...Option) *Loop {
	l := testkit.Running(b, New(opts...))
	testkit.On(b, l, func() {})
	b.ReportAllocs()
	b.ResetTimer()
	return l
}

func expectCount(b *testing.B, what string, got, want int) {
	b.Helper()
	if got != want {
		b.Fatalf("%d %s, want %d", got, what, want)
	}
}

// rounds runs n operations on the loop in chunks; do gets the number of operations for one callback.
func rounds(b *testing.B, l *Loop, n int, do func(n int)) {
	for left := n; left > 0; left -= chunk {
		testkit.On(b, l, func() { do(min(left, chunk)) })
	}
	testkit.On(b, l, func() {}) // Do returns before the microtasks of its callback have run
}

// submitInChunks submits func values from another goroutine, and has them run. It waits for every chunk, so that no backlog
// grows with b.N.
func submitInChunks(b *testing.B, l *Loop) {
	ran := 0
	task := func() { ran++ }
	drained := make(chan struct{})
	last := func() { ran++; drained <- struct{}{} }
	for i := range b.N {
		if i == b.N-1 || i%chunk == chunk-1 {
			_ = l.Submit(last)
			<-drained
			continue
		}
		if err := l.Submit(task); err != nil {
			b.Fatal(err)
		}
	}
	expectCount(b, "tasks", ran, b.N)
}

// submitFromTheLoop has callbacks submit the tasks.
func submitFromTheLoop(b *testing.B, l *Loop) {
	ran := 0
	task := func() { ran++ }
	rounds(b, l, b.N, func(n int) {
		for range n {
			_ = l.Submit(task)
		}
	})
	testkit.On(b, l, func() {})
	expectCount(b, "tasks", ran, b.N)
}

// pingPong waits for the answer of each task.
func pingPong(b *testing.B, submit func(func())) {
	ran := 0
	answer := make(chan struct{})
	task := func() { ran++; answer <- struct{}{} }
	for range b.N {
		submit(task)
		<-answer
	}
	expectCount(b, "tasks", ran, b.N)
}

// submitTo is the loop's Submit, for benchmarks that measure other designs too.
func submitTo(l *Loop) func(func()) { return func(fn func()) { _ = l.Submit(fn) } }

func BenchmarkSubmit(b *testing.B) { submitInChunks(b, benchLoop(b)) }

// BenchmarkSubmitWithQueueLimit has a limit that is not reached.
func BenchmarkSubmitWithQueueLimit(b *testing.B) {
	submitInChunks(b, benchLoop(b, WithQueueLimit(4*chunk)))
}

func BenchmarkSubmitFromTheLoop(b *testing.B) { submitFromTheLoop(b, benchLoop(b)) }

func BenchmarkMicrotask(b *testing.B) {
	l := benchLoop(b)
	ran := 0
	job := func() { ran++ }
	rounds(b, l, b.N, func(n int) {
		for range n {
			_ = l.ScheduleMicrotask(job)
		}
	})
	expectCount(b, "microtasks", ran, b.N)
}

// countJob is a microtask without a closure.
type countJob int

func (c *countJob) Run() { *c++ }

func BenchmarkMicrotaskOfOwner(b *testing.B) {
	l := benchLoop(b)
	var ran countJob
	rounds(b, l, b.N, func(n int) {
		o := adapter.Of(l)
		for range n {
			o.Enqueue(&ran)
		}
	})
	expectCount(b, "microtasks", int(ran), b.N)
}

func BenchmarkNextTick(b *testing.B) {
	l := benchLoop(b)
	ran := 0
	job := func() { ran++ }
	rounds(b, l, b.N, func(n int) {
		for range n {
			_ = l.NextTick(job)
		}
	})
	expectCount(b, "ticks", ran, b.N)
}

func BenchmarkImmediate(b *testing.B) {
	l := benchLoop(b)
	ran := 0
	job := func() { ran++ }
	rounds(b, l, b.N, func(n int) {
		for range n {
			_ = l.ScheduleImmediate(job)
		}
	})
	testkit.On(b, l, func() {}) // a turn later
	expectCount(b, "immediates", ran, b.N)
}

// BenchmarkImmediateChain takes a whole turn for each operation.
func BenchmarkImmediateChain(b *testing.B) {
	l := benchLoop(b)
	ran := 0
	done := make(chan struct{})
	var next func()
	next = func() {
		if ran++; ran == b.N {
			close(done)
			return
		}
		_ = l.ScheduleImmediate(next)
	}
	testkit.Must(b, l.ScheduleImmediate(next))
	testkit.Await(b, "the chain", done)
	expectCount(b, "immediates", ran, b.N)
}

func BenchmarkDo(b *testing.B) {
	l := benchLoop(b)
	ran := 0
	fn := func() { ran++ }
	for range b.N {
		_ = l.Do(context.Background(), fn)
	}
	expectCount(b, "calls", ran, b.N)
}

func BenchmarkCall(b *testing.B) {
	l := benchLoop(b)
	ran := 0
	fn := func() (int, error) { ran++; return ran, nil }
	for range b.N {
		_, _ = Call(context.Background(), l, fn)
	}
	expectCount(b, "calls", ran, b.N)
}

// BenchmarkOnLoop measures the check for the caller's identity that Do and Shutdown make before they block: while the
// loop sleeps, and in a callback so many calls deep.
func BenchmarkOnLoop(b *testing.B) {
	b.Run("Asleep", func(b *testing.B) {
		l := benchLoop(b)
		for range b.N {
			if adapter.Of(l).OnLoop() {
				b.Fatal("the benchmark is on the loop")
			}
		}
	})
	for _, depth := range []int{0, 20, 60} {
		b.Run(fmt.Sprintf("Inside/Depth=%d", depth), func(b *testing.B) {
			l := benchLoop(b)
			testkit.On(b, l, func() {
				deeper(depth, func() {
					for range b.N {
						if !adapter.Of(l).OnLoop() {
							b.Error("a callback is not on the loop")
							return
						}
					}
				})
			})
		})
	}
}

//go:noinline
func deeper(calls int, fn func()) {
	if calls == 0 {
		fn()
		return
	}
	deeper(calls-1, fn)
}
