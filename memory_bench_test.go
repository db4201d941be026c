package eventloop

import (
	"fmt"
	"runtime"
	"testing"
)

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
