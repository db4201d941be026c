package loopgroup_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/eventloop-go/eventloop/loopgroup"
)

// compute is some 5 µs of work that touches no memory.
func compute(n uint64) uint64 {
	for range 5000 {
		n = n*0xd1342543de82ef95 + 1
		n ^= n >> 29
	}
	return n
}

var sink [8]struct {
	n uint64
	_ [56]byte
}

// BenchmarkCompute has callbacks that compute, on one loop and on as many as there are processors. Goroutines that
// only compute show the best possible figure.
func BenchmarkCompute(b *testing.B) {
	processors := min(runtime.GOMAXPROCS(0), len(sink))
	for n := 1; n <= processors; n *= 2 {
		b.Run(fmt.Sprintf("goroutines=%d", n), func(b *testing.B) {
			var wg sync.WaitGroup
			for k := range n {
				wg.Add(1)
				go func() {
					defer wg.Done()
					for i := k; i < b.N; i += n {
						sink[k].n += compute(uint64(i))
					}
				}()
			}
			wg.Wait()
		})
	}
	for _, form := range []string{"key", "any"} {
		for n := 1; n <= processors; n *= 2 {
			b.Run(fmt.Sprintf("%s/loops=%d", form, n), func(b *testing.B) {
				g := loopgroup.New[int](n)
				go func() { _ = g.Run(context.Background()) }()
				var wg sync.WaitGroup
				wg.Add(b.N)
				for i := range b.N {
					task := func() {
						if compute(uint64(i)) == 1 {
							b.Log("it happens")
						}
						wg.Done()
					}
					if form == "any" {
						_ = g.SubmitAny(task)
					} else {
						_ = g.Submit(i, task)
					}
				}
				wg.Wait()
				b.StopTimer()
				_ = g.Shutdown(context.Background())
			})
		}
	}
}

// BenchmarkSubmit measures the cost of Submit beside a loop's own.
func BenchmarkSubmit(b *testing.B) {
	g := loopgroup.New[string](0)
	go func() { _ = g.Run(context.Background()) }()
	nothing := func() {}
	b.ReportAllocs()
	for b.Loop() {
		_ = g.Submit("a key", nothing)
	}
	b.StopTimer()
	_ = g.Shutdown(context.Background())
}
