package bench

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	. "github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/raceflag"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// BenchmarkQueued gives the cost of a task, submission and run together, with so many waiting, and the memory left
// when they have run.
func BenchmarkQueued(b *testing.B) {
	for _, n := range []int{1e3, 1e4, 1e5, 1e6, 1e7} {
		b.Run(fmt.Sprintf("Queued=1e%d", len(fmt.Sprint(n))-1), func(b *testing.B) {
			before := testkit.HeapInUse()
			l := benchLoop(b)
			ran := 0
			task := func() { ran++ }
			for range b.N {
				hold, drained := make(chan struct{}), make(chan struct{})
				testkit.Must(b, l.Submit(func() { <-hold }))
				for range n {
					if err := l.Submit(task); err != nil {
						b.Fatal(err)
					}
				}
				testkit.Must(b, l.Submit(func() { close(drained) }))
				close(hold)
				<-drained
			}
			took := b.Elapsed()
			expectCount(b, "tasks", ran, n*b.N)
			testkit.UntilAsleep(b, l)
			b.ReportMetric(float64(took)/float64(n*b.N), "ns/task")
			b.ReportMetric(max(0, float64(testkit.HeapInUse())-float64(before)), "B-retained")
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

func TestIdleLoopTakesAtMost8KiB(t *testing.T) {
	if raceflag.Enabled {
		t.Skip("the race detector's shadow of a goroutine is counted with its stack")
	}
	most := 8.0 * 1024
	if runtime.GOOS == "windows" {
		most += 6 * 1024 // the smallest stack of a goroutine has 8 KiB there, and elsewhere 2
	}
	if bytes := idleBytes(t, 1000); bytes > most {
		t.Errorf("an idle loop takes %.0f bytes of heap and stack, want at most %.0f", bytes, most)
	}
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
	results := make([]chan error, n)
	before := memory()
	for i := range loops {
		loops[i] = New()
		results[i] = make(chan error, 1)
		go func() { results[i] <- loops[i].Run(context.Background()) }() // nothing on its stack but Run
	}
	for _, l := range loops {
		testkit.On(t, l, func() {})
		testkit.UntilAsleep(t, l)
	}
	bytes := (memory() - before) / float64(n)
	for i, l := range loops {
		testkit.Must(t, l.Close())
		testkit.Await(t, "Run after Close", results[i])
	}
	return bytes
}
