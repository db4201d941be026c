package eventloop

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"
)

// Every benchmark counts what ran and fails if that is not what it claims to have measured. Those that keep a loop
// busy from inside hand it chunks, so that the turn, the timers and the memory are those of a living loop.
const chunk = 1024

// Errors are not looked at in measured code: the counts tell.

// benchLoop is running, ready to be measured: it has run something already.
func benchLoop(b *testing.B) *Loop {
	l := running(b)
	on(b, l, func() {})
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

// rounds runs n operations on the loop in chunks; do is told how many of them to perform in one callback.
func rounds(b *testing.B, l *Loop, n int, do func(n int)) {
	for left := n; left > 0; left -= chunk {
		on(b, l, func() { do(min(left, chunk)) })
	}
}

// Submit of a func value from another goroutine, with the task run: every chunk is waited for, so that no backlog
// grows with b.N.
func BenchmarkSubmit(b *testing.B) {
	l := benchLoop(b)
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

func BenchmarkSubmitFromTheLoop(b *testing.B) {
	l := benchLoop(b)
	ran := 0
	task := func() { ran++ }
	rounds(b, l, b.N, func(n int) {
		for range n {
			_ = l.Submit(task)
		}
	})
	on(b, l, func() {})
	expectCount(b, "tasks", ran, b.N)
}

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
		o := l.Owner()
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
	on(b, l, func() {}) // a turn later
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
	must(b, l.ScheduleImmediate(next))
	await(b, "the chain", done)
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

// BenchmarkOnLoop is the look for the caller's identity that Do and Shutdown take before they block.
func BenchmarkOnLoop(b *testing.B) {
	l := benchLoop(b)
	for range b.N {
		if l.OnLoop() {
			b.Fatal("the benchmark is on the loop")
		}
	}
}

// Schedule a timer and cancel it, from another goroutine, beside what a Go programmer would do without a loop.
func BenchmarkTimerCancelFromOutside(b *testing.B) {
	b.Run("CancelTimer", func(b *testing.B) {
		l := benchLoop(b)
		cancelled := 0
		for range b.N {
			if h, _ := l.ScheduleTimer(time.Hour, func() {}); l.CancelTimer(h) {
				cancelled++
			}
		}
		expectCount(b, "timers cancelled", cancelled, b.N)
	})
	b.Run("Stop", func(b *testing.B) {
		l := benchLoop(b)
		stopped := 0
		for range b.N {
			if h, _ := l.ScheduleTimer(time.Hour, func() {}); h.Stop() {
				stopped++
			}
		}
		expectCount(b, "timers stopped", stopped, b.N)
	})
	b.Run("AfterFunc", func(b *testing.B) {
		b.ReportAllocs()
		stopped := 0
		for range b.N {
			if t := time.AfterFunc(time.Hour, func() {}); t.Stop() {
				stopped++
			}
		}
		expectCount(b, "timers stopped", stopped, b.N)
	})
}

func BenchmarkTimerCancelFromTheLoop(b *testing.B) {
	schedulers := map[string]func(*Loop, time.Duration, func()) (Timer, error){
		"Loop":  (*Loop).ScheduleTimer,
		"Owner": func(l *Loop, d time.Duration, fn func()) (Timer, error) { return l.Owner().ScheduleTimer(d, fn) },
	}
	for _, name := range []string{"Loop", "Owner"} {
		schedule := schedulers[name]
		b.Run(name, func(b *testing.B) {
			l := benchLoop(b)
			cancelled := 0
			rounds(b, l, b.N, func(n int) {
				for range n {
					if h, _ := schedule(l, time.Hour, func() {}); l.CancelTimer(h) {
						cancelled++
					}
				}
			})
			expectCount(b, "timers cancelled", cancelled, b.N)
		})
	}
}

// BenchmarkTimerFire schedules timers that are due, and runs them.
func BenchmarkTimerFire(b *testing.B) {
	l := benchLoop(b)
	fired := 0
	fn := func() { fired++ }
	rounds(b, l, b.N, func(n int) {
		o := l.Owner()
		for range n {
			_, _ = o.ScheduleTimer(0, fn)
		}
	})
	on(b, l, func() {})
	expectCount(b, "timers fired", fired, b.N)
}

// BenchmarkTimerLatency is from scheduling a due timer on a loop with nothing to do to being told by its callback.
func BenchmarkTimerLatency(b *testing.B) {
	l := benchLoop(b)
	fired := make(chan struct{})
	n := 0
	fn := func() { n++; fired <- struct{}{} }
	for range b.N {
		_, _ = l.ScheduleTimer(0, fn)
		<-fired
	}
	expectCount(b, "timers fired", n, b.N)
}

// A million timers with random delays: what each costs to start, to cancel, to fire and to keep.
func BenchmarkMillionTimers(b *testing.B) {
	const n = 1_000_000
	delays := make([]time.Duration, n)
	handles := make([]Timer, n)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range delays {
		delays[i] = time.Hour + time.Duration(random.Int64N(int64(time.Hour)))
	}
	var start, cancel, fire time.Duration
	var bytes uint64
	for range b.N {
		l := running(b)
		fired := 0
		fn := func() { fired++ }
		startAll := func() time.Duration {
			t := time.Now()
			for i, d := range delays {
				handles[i], _ = l.ScheduleTimer(d, fn)
			}
			on(b, l, func() {}) // by then the loop has put them in order
			return time.Since(t)
		}
		before := heapInUse()
		start += startAll()
		bytes += heapInUse() - before

		t := time.Now()
		expectCount(b, "timers cancelled", l.CancelTimers(handles...), n)
		on(b, l, func() {})
		cancel += time.Since(t)

		start += startAll()
		t = time.Now()
		on(b, l, func() { l.epoch = l.epoch.Add(-2 * time.Hour) }) // its clock leaps: all are due
		on(b, l, func() {})
		fire += time.Since(t)
		expectCount(b, "timers fired", fired, n)
		must(b, l.Close())
		<-l.Done()
	}
	per := float64(b.N) * n
	b.ReportMetric(float64(start)/per/2, "start-ns/timer")
	b.ReportMetric(float64(cancel)/per, "cancel-ns/timer")
	b.ReportMetric(float64(fire)/per, "fire-ns/timer")
	b.ReportMetric(float64(bytes)/per, "B/timer")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkQueued gives the cost of a task, submission and run together, with so many waiting, and what memory stays
// when they have run.
func BenchmarkQueued(b *testing.B) {
	for _, n := range []int{1e3, 1e4, 1e5, 1e6, 1e7} {
		b.Run(fmt.Sprintf("Queued=1e%d", len(fmt.Sprint(n))-1), func(b *testing.B) {
			before := heapInUse()
			l := benchLoop(b)
			ran := 0
			task := func() { ran++ }
			for range b.N {
				gate, drained := make(chan struct{}), make(chan struct{})
				must(b, l.Submit(func() { <-gate }))
				for range n {
					if err := l.Submit(task); err != nil {
						b.Fatal(err)
					}
				}
				must(b, l.Submit(func() { close(drained) }))
				close(gate)
				<-drained
			}
			took := b.Elapsed()
			expectCount(b, "tasks", ran, n*b.N)
			untilAsleep(b, l)
			b.ReportMetric(float64(took)/float64(n*b.N), "ns/task")
			b.ReportMetric(max(0, float64(heapInUse())-float64(before)), "B-retained")
		})
	}
}

// BenchmarkIdleLoop gives the memory of a loop that runs and has nothing to do: its heap and its goroutine's stack.
func BenchmarkIdleLoop(b *testing.B) {
	const n = 1000
	var bytes float64
	for range b.N {
		bytes += idleBytes(b, n)
	}
	b.ReportMetric(bytes/float64(b.N), "B/loop")
	b.ReportMetric(0, "ns/op")
}

// idleBytes is the memory, heap and stack, that each of n idle loops takes.
func idleBytes(t testing.TB, n int) float64 {
	memory := func() float64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc) + float64(m.StackInuse)
	}
	loops := make([]*Loop, n)
	results := make([]<-chan error, n)
	before := memory()
	for i := range loops {
		loops[i] = New()
		results[i] = launch(loops[i])
	}
	for _, l := range loops {
		on(t, l, func() {})
		untilAsleep(t, l)
	}
	bytes := (memory() - before) / float64(n)
	for i, l := range loops {
		must(t, l.Close())
		await(t, "Run after Close", results[i])
	}
	return bytes
}

// heapInUse is the memory of the objects that are alive.
func heapInUse() uint64 {
	runtime.GC()
	runtime.GC() // the first moves what pools hold to their victim caches
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
