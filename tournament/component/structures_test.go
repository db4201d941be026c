package component

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/internal/queue"
	"github.com/eventloop-go/eventloop/internal/timers"
)

// The chunked ingress and the microtask ring of the published loop have counterparts in the product. The first is the
// lane, an inbox that the backlog takes over whole. The second is a ring that doubles when full.

func laneFilled(n int) *queue.Inbox {
	q := &queue.Inbox{}
	for range n {
		q.Push(func() {})
	}
	return q
}

func lanePush(b *testing.B) {
	b.ReportAllocs()
	pushed := 0
	var q queue.Inbox
	task := func() {}
	laps(b, besides, func(n int) {
		for range n {
			q.Push(task)
		}
	}, func() { pushed += q.Len(); q = queue.Inbox{} })
	expect(b, "tasks pushed", pushed, b.N)
}

// lanePushRecycled takes and empties each lap in the clock, so that batches are used again.
func lanePushRecycled(b *testing.B) {
	b.ReportAllocs()
	var q queue.Inbox
	var l queue.Backlog
	popped := 0
	task := func() {}
	laps(b, within, func(n int) {
		for range n {
			q.Push(task)
		}
	}, func() {
		l.Take(&q)
		for l.Next() {
			l.Pop()
			popped++
		}
	})
	expect(b, "tasks popped", popped, b.N)
}

func lanePop(b *testing.B) {
	b.ReportAllocs()
	popped := 0
	for left := b.N; left > 0; left -= lap {
		n := min(left, lap)
		b.StopTimer()
		var l queue.Backlog
		l.Take(laneFilled(n))
		b.StartTimer()
		for l.Next() {
			l.Pop()
			popped++
		}
	}
	expect(b, "tasks popped", popped, b.N)
}

func lanePushPop(b *testing.B, each int) {
	b.ReportAllocs()
	var q queue.Inbox
	var l queue.Backlog
	popped := 0
	task := func() {}
	for range b.N {
		for range each {
			q.Push(task)
		}
		for l.Take(&q); l.Next(); popped++ {
			l.Pop()
		}
	}
	expect(b, "tasks popped", popped, b.N*each)
}

func lanePushLocked(b *testing.B, perProcessor int) {
	b.ReportAllocs()
	var mu sync.Mutex
	var q queue.Inbox
	pushed := 0
	task := func() {}
	parallelLaps(b, besides, perProcessor, func() {
		mu.Lock()
		q.Push(task)
		mu.Unlock()
	}, func() { pushed += q.Len(); q = queue.Inbox{} })
	expect(b, "tasks pushed", pushed, b.N)
}

func BenchmarkLatencychunkedIngressPush(b *testing.B)                { lanePush(b) }
func BenchmarkLatencychunkedIngressPush_Drained(b *testing.B)        { lanePushRecycled(b) }
func BenchmarkLatencychunkedIngressPop(b *testing.B)                 { lanePop(b) }
func BenchmarkLatencychunkedIngressPushPop(b *testing.B)             { lanePushPop(b, 1) }
func BenchmarkLatencychunkedIngressPush_WithContention(b *testing.B) { lanePushLocked(b, 4) }
func Benchmark_chunkedIngress_Push(b *testing.B)                     { lanePush(b) }
func Benchmark_chunkedIngress_Push_Drained(b *testing.B)             { lanePushRecycled(b) }
func Benchmark_chunkedIngress_Pop(b *testing.B)                      { lanePop(b) }
func Benchmark_chunkedIngress_PushPop(b *testing.B)                  { lanePushPop(b, 1) }
func Benchmark_chunkedIngress_Sequential(b *testing.B)               { lanePushPop(b, 1) }
func Benchmark_chunkedIngress_Batch(b *testing.B)                    { lanePushPop(b, 100) }
func Benchmark_chunkedIngress_ParallelWithSync(b *testing.B)         { lanePushLocked(b, 1) }

// BenchmarkLatencySimulatedSubmit is Submit's work under its lock: read the state, append.
func BenchmarkLatencySimulatedSubmit(b *testing.B) {
	b.ReportAllocs()
	var mu sync.Mutex
	var q queue.Inbox
	state, pushed := uint8(2), 0
	task := func() {}
	laps(b, besides, func(n int) {
		for range n {
			mu.Lock()
			if state == 2 {
				q.Push(task)
			}
			mu.Unlock()
		}
	}, func() { pushed += q.Len(); q = queue.Inbox{} })
	expect(b, "tasks pushed", pushed, b.N)
}

// BenchmarkLatencySimulatedPoll runs tasks as the loop does: it takes all under one lock, and one recover covers them.
func BenchmarkLatencySimulatedPoll(b *testing.B) {
	b.ReportAllocs()
	var mu sync.Mutex
	ran := 0
	for left := b.N; left > 0; left -= lap {
		b.StopTimer()
		var q queue.Inbox
		for range min(left, lap) {
			q.Push(func() { ran++ })
		}
		var l queue.Backlog
		b.StartTimer()
		mu.Lock()
		l.Take(&q)
		mu.Unlock()
		func() {
			defer func() { _ = recover() }()
			for l.Next() {
				l.Pop()()
			}
		}()
	}
	expect(b, "tasks", ran, b.N)
}

func ringPush(b *testing.B) {
	b.ReportAllocs()
	pushed := 0
	var q queue.FIFO[func()]
	task := func() {}
	laps(b, besides, func(n int) {
		for range n {
			q.Push(task)
		}
	}, func() { pushed += q.Len(); q = queue.FIFO[func()]{} })
	expect(b, "microtasks pushed", pushed, b.N)
}

// ringPushDrained takes a lap's pushes within the measured time, so that the ring is used again.
func ringPushDrained(b *testing.B) {
	b.ReportAllocs()
	popped := 0
	var q queue.FIFO[func()]
	task := func() {}
	laps(b, within, func(n int) {
		for range n {
			q.Push(task)
		}
	}, func() {
		for ; q.Len() > 0; popped++ {
			q.Pop()
		}
	})
	expect(b, "microtasks popped", popped, b.N)
}

func ringPushPop(b *testing.B, before int) {
	b.ReportAllocs()
	var q queue.FIFO[func()]
	ran := 0
	task := func() { ran++ }
	for range before {
		q.Push(func() {})
	}
	b.ResetTimer()
	for range b.N {
		q.Push(task)
		q.Pop()
	}
	b.StopTimer()
	expect(b, "microtasks left", q.Len(), before)
}

func BenchmarkLatencymicrotaskRingPush(b *testing.B)         { ringPush(b) }
func BenchmarkLatencymicrotaskRingPush_Drained(b *testing.B) { ringPushDrained(b) }
func Benchmark_microtaskRing_Push(b *testing.B)              { ringPush(b) }
func Benchmark_microtaskRing_Push_Drained(b *testing.B)      { ringPushDrained(b) }
func BenchmarkLatencymicrotaskRingPushPop(b *testing.B)      { ringPushPop(b, 0) }
func Benchmark_microtaskRing_PushPop(b *testing.B)           { ringPushPop(b, 0) }

// BenchmarkMicrotaskOverflow has the published number of microtasks waiting. The product's ring has no overflow.
func BenchmarkMicrotaskOverflow(b *testing.B) { ringPushPop(b, 5096) }

func BenchmarkLatencymicrotaskRingPop(b *testing.B) {
	b.ReportAllocs()
	popped := 0
	for left := b.N; left > 0; left -= lap {
		b.StopTimer()
		var q queue.FIFO[func()]
		for range min(left, lap) {
			q.Push(func() {})
		}
		b.StartTimer()
		for ; q.Len() > 0; popped++ {
			q.Pop()
		}
	}
	expect(b, "microtasks popped", popped, b.N)
}

// Benchmark_microtaskRing_Parallel has a lock around the ring, which in the product belongs to the loop alone.
func Benchmark_microtaskRing_Parallel(b *testing.B) {
	b.ReportAllocs()
	var mu sync.Mutex
	var q queue.FIFO[func()]
	var stop atomic.Bool
	popped, done := 0, make(chan struct{})
	pop := func() {
		mu.Lock()
		if q.Len() > 0 {
			q.Pop()
			popped++
		}
		mu.Unlock()
	}
	go func() {
		for ; !stop.Load(); runtime.Gosched() {
			pop()
		}
		close(done)
	}()
	task := func() {}
	parallelLaps(b, besides, 1, func() {
		mu.Lock()
		q.Push(task)
		mu.Unlock()
	}, func() {
		mu.Lock()
		popped, q = popped+q.Len(), queue.FIFO[func()]{}
		mu.Unlock()
	})
	stop.Store(true)
	<-done
	expect(b, "microtasks", popped, b.N)
}

// BenchmarkTimerHeapOperations is the product's queue of timers as it is used: deadlines ascend, and each timer is new.
func BenchmarkTimerHeapOperations(b *testing.B) {
	b.ReportAllocs()
	epoch := time.Now()
	var q timers.Queue
	popped := 0
	laps(b, within, func(n int) {
		for range n {
			q.Push(timers.Entry{When: int64(time.Since(epoch)), Timer: new(timers.Timer)})
		}
	}, func() {
		for ; q.First(timers.Never) != nil; popped++ {
			q.Pop()
		}
	})
	expect(b, "timers", popped, b.N)
}
