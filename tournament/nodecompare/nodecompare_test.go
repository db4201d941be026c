package nodecompare

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"testing"
	"time"
)

func TestEveryWorkloadRunsAllItsHandlers(t *testing.T) {
	for _, w := range Workloads() {
		for _, batch := range w.Batches {
			for _, n := range []int{1, 100, 2500} {
				if sum, err := w.Run(n, batch); err != nil || sum != w.Sum(n) {
					t.Errorf("%s, %d operations, batch %d: %d, %v, want %d", w.Name, n, batch, sum, err, w.Sum(n))
				}
			}
		}
	}
}

func TestNodeRunsTheSameWorkloads(t *testing.T) {
	for _, w := range Workloads() {
		ns, err := Node(context.Background(), w, 1000, Many)
		if errors.Is(err, exec.ErrNotFound) {
			t.Skip("node is not on the PATH")
		}
		if err != nil || ns <= 0 {
			t.Errorf("%s: %v, %v", w.Name, ns, err)
		}
	}
}

// BenchmarkPromisesAgainstNode times each workload on the product; then node runs it, the same number of operations.
// product/node below 1 means that the product is faster.
func BenchmarkPromisesAgainstNode(b *testing.B) {
	for _, w := range Workloads() {
		for _, batch := range w.Batches {
			b.Run(fmt.Sprintf("%s/batch=%d", w.Name, batch), func(b *testing.B) { against(b, w, batch) })
		}
	}
}

func against(b *testing.B, w Workload, batch int) {
	b.ReportAllocs()
	if _, err := w.Run(min(b.N, 20_000), batch); err != nil { // warm, as node is
		b.Fatal(err)
	}
	b.ResetTimer()
	sum, err := w.Run(b.N, batch)
	b.StopTimer()
	if err != nil || sum != w.Sum(b.N) {
		b.Fatalf("sum %d, %v, want %d", sum, err, w.Sum(b.N))
	}
	product := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
	if b.Elapsed() < 50*time.Millisecond {
		return // a run that only looks for the right number of operations
	}
	node, err := Node(context.Background(), w, min(b.N, 1_000_000), batch)
	if errors.Is(err, exec.ErrNotFound) {
		b.Log("node is not on the PATH: no comparison")
		return
	}
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(node, "node-ns/op")
	b.ReportMetric(product/node, "product/node")
}
