package sandbox_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/gojaloop/sandbox"
)

// pipe starts an echo process, connected by two pipes, and returns a function that makes a round trip.
func pipe(b *testing.B, size int) func() {
	b.Helper()
	executable, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(executable)
	cmd.Env = append(os.Environ(), echo+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			b.Error(err)
		}
	})
	buffer := make([]byte, size)
	return func() {
		if _, err := in.Write(buffer); err != nil {
			b.Fatal(err)
		}
		if _, err := io.ReadFull(out, buffer); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCall calls a function of a script. Beside each batch of calls it measures as many round trips by pipe,
// with messages of the same size, because a machine's pace changes from second to second. It reports medians of the
// batches.
func BenchmarkCall(b *testing.B) {
	s := box(b, sandbox.WithProcessorTime(1<<62))
	if err := s.Run(b.Context(), "", `function add(a, b) { return a + b }`); err != nil {
		b.Fatal(err)
	}
	roundTrip := pipe(b, 48)
	const batch = 50
	var calls, trips, ratios []float64
	for b.Loop() {
		begin := time.Now()
		for range batch {
			roundTrip()
		}
		between := time.Now()
		for range batch {
			var sum int
			if err := s.Call(b.Context(), &sum, "add", 1, 2); err != nil || sum != 3 {
				b.Fatal(sum, err)
			}
		}
		trip, call := between.Sub(begin).Seconds()*1e9/batch, time.Since(between).Seconds()*1e9/batch
		trips, calls, ratios = append(trips, trip), append(calls, call), append(ratios, call/trip)
	}
	b.ReportMetric(median(calls), "ns/op")
	b.ReportMetric(median(trips), "ns/roundtrip")
	b.ReportMetric(median(ratios), "call/roundtrip")
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// BenchmarkCallback is a script that calls a Go function and waits for it.
func BenchmarkCallback(b *testing.B) {
	s := box(b, sandbox.WithProcessorTime(1<<62),
		sandbox.WithFunction("next", func(context.Context, sandbox.Arguments) (any, error) { return 1, nil }))
	if err := s.Run(b.Context(), "", `async function sum(n) { let s = 0; for (let i = 0; i < n; i++) s += await next(); return s }`); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	var sum int
	if err := s.Call(b.Context(), &sum, "sum", b.N); err != nil || sum != b.N {
		b.Fatal(sum, err)
	}
}

// BenchmarkGet takes a sandbox that is ready from a pool.
func BenchmarkGet(b *testing.B) {
	p, err := sandbox.NewPool(sandbox.WithProcesses(2, 4))
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	for b.Loop() {
		b.StopTimer()
		for p.Ready() == 0 {
			time.Sleep(time.Millisecond)
		}
		b.StartTimer()
		s, err := p.Get(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		_ = s.Close()
		b.StartTimer()
	}
}

// BenchmarkNew starts a process.
func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		s, err := sandbox.New(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		_ = s.Close()
	}
}
