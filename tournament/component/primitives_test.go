package component

import (
	"sync"
	"testing"
)

// Operations of Go and the processor that a loop is made of.

func roundTrips(b *testing.B, room int) {
	c := make(chan struct{}, room)
	done := make(chan int)
	go func() {
		echoed := 0
		for range c {
			echoed++
			c <- struct{}{}
		}
		done <- echoed
	}()
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		c <- struct{}{}
		<-c
	}
	b.StopTimer()
	if room > 0 {
		// The sender may take its own token back, so the number of echoes is not known.
		close(c)
		<-done
		return
	}
	close(c)
	expect(b, "echoes", <-done, b.N)
}

func BenchmarkLatencyChannelRoundTrip(b *testing.B)         { roundTrips(b, 0) }
func BenchmarkLatencyChannelBufferedRoundTrip(b *testing.B) { roundTrips(b, 1) }

// BenchmarkLatencyChannelBufferedRoundTrip_Answered has a channel for each direction.
func BenchmarkLatencyChannelBufferedRoundTrip_Answered(b *testing.B) {
	ping, pong := make(chan struct{}, 1), make(chan struct{}, 1)
	echoed := 0
	go func() {
		for range ping {
			echoed++
			pong <- struct{}{}
		}
		close(pong)
	}()
	b.ReportAllocs()
	for range b.N {
		ping <- struct{}{}
		<-pong
	}
	close(ping)
	<-pong
	expect(b, "echoes", echoed, b.N)
}

//go:noinline
func called(n *int) { *n++ }

// The published calls are of an empty function, which the compiler drops; these count, and are not inlined.

func BenchmarkLatencyDirectCall(b *testing.B) {
	n := 0
	for range b.N {
		called(&n)
	}
	expect(b, "calls", n, b.N)
}

func BenchmarkLatencyDeferRecover(b *testing.B) {
	n := 0
	for range b.N {
		func() {
			defer func() { _ = recover() }()
			called(&n)
		}()
	}
	expect(b, "calls", n, b.N)
}

func safely(fn func()) {
	defer func() {
		if v := recover(); v != nil {
			panic(v)
		}
	}()
	fn()
}

// BenchmarkLatencySafeExecute has a recover for each task. The product has one for a whole phase: see
// BenchmarkLatencySimulatedPoll.
func BenchmarkLatencySafeExecute(b *testing.B) {
	n := 0
	fn := func() { n++ }
	for range b.N {
		safely(fn)
	}
	expect(b, "calls", n, b.N)
}

func BenchmarkLatencyMutexLockUnlock(b *testing.B) {
	var mu sync.Mutex
	n := 0
	for range b.N {
		mu.Lock()
		n++
		mu.Unlock()
	}
	expect(b, "rounds", n, b.N)
}

func BenchmarkLatencyRWMutexRLockRUnlock(b *testing.B) {
	var mu sync.RWMutex
	n := 0
	for range b.N {
		mu.RLock()
		n++
		mu.RUnlock()
	}
	expect(b, "rounds", n, b.N)
}
