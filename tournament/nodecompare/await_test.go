package nodecompare

import (
	"context"
	"errors"
	"os/exec"
	"testing"
)

func one(n int) int { return n }

func TestEveryWayOfWaitingTakesAllItsSteps(t *testing.T) {
	for _, step := range Steps() {
		for _, way := range step.Ways {
			if sum, err := way.Run(1000); err != nil || sum != 1000 {
				t.Errorf("%s by %s: %d, %v", step.Name, way.Name, sum, err)
			}
		}
		_, err := Node(context.Background(), Workload{Name: step.Name, Sum: one}, 1000, One)
		if err != nil && !errors.Is(err, exec.ErrNotFound) {
			t.Errorf("%s by node: %v", step.Name, err)
		}
	}
}

// BenchmarkAwait takes each step in each way, one after the other in one run. Node measures its row itself in a warm
// process of its own; it has no figures of memory.
func BenchmarkAwait(b *testing.B) {
	for _, step := range Steps() {
		for _, way := range step.Ways {
			b.Run(step.Name+"/"+way.Name, func(b *testing.B) {
				b.ReportAllocs()
				if sum, err := way.Run(b.N); err != nil || sum != b.N {
					b.Fatal(sum, err)
				}
			})
		}
		b.Run(step.Name+"/node", func(b *testing.B) {
			for b.Loop() { // the number of steps is fixed: node itself takes the time
			}
			ns, err := Node(context.Background(), Workload{Name: step.Name, Sum: one}, 500_000, One)
			if errors.Is(err, exec.ErrNotFound) {
				b.Skip("node is not on the PATH")
			}
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(ns, "ns/op")
		})
	}
}
