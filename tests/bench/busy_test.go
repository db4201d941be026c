package bench

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/internal/testkit"
	"github.com/eventloop-go/eventloop/promise"
)

// BenchmarkBusy measures the loop beside goroutines that compute, next to a channel in the same conditions.
//
// Its rows are GOMAXPROCS (P), the number of computing goroutines (0, P and 2 P), the case, and the design. A case reports
// the median and the 99th percentile of single waits, or the time of an operation where it measures throughput.
func BenchmarkBusy(b *testing.B) {
	for _, procs := range []int{1, 2} {
		for _, computing := range []int{0, procs, 2 * procs} {
			for _, c := range busyCases {
				for _, d := range []struct {
					name    string
					measure func(b *testing.B)
				}{{"Loop", c.loop}, {"Channel", c.channel}} {
					b.Run(fmt.Sprintf("P=%d/Computing=%d/%s/%s", procs, computing, c.name, d.name), func(b *testing.B) {
						defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
						testkit.Compute(b, computing)
						d.measure(b)
					})
				}
			}
		}
	}
}

var busyCases = []struct {
	name          string
	loop, channel func(b *testing.B)
}{
	{"RoundTrip", loopRoundTrip, channelRoundTrip},
	{"Do", loopDo, channelDo},
	{"DoInside", loopDoInside, channelDoInside},
	{"Wait", loopWait, channelWait},
	{"RunReady", loopRunReady, channelRunReady},
	{"Coroutine", loopCoroutine, channelCoroutine},
	{"BusyPolling", loopBusyPolling, channelRoundTrip},
	{"Producers=1", loopProducers(1), channelProducers(1)},
	{"Producers=4", loopProducers(4), channelProducers(4)},
}

const computeChunk = 300_000 // iterations: about 100 µs

// latencies runs op b.N times and reports quantiles of its duration.
func latencies(b *testing.B, op func()) {
	waits := make([]time.Duration, b.N)
	op()
	b.ResetTimer()
	began := time.Now()
	last := time.Duration(0)
	for i := range waits {
		op()
		now := time.Since(began)
		waits[i], last = now-last, now
	}
	b.StopTimer()
	reportWaits(b, waits)
}

// reportWaits reports quantiles of single waits, and the longest.
func reportWaits(b *testing.B, waits []time.Duration) {
	reportQuantiles(b, waits)
	b.ReportMetric(float64(waits[len(waits)-1]), "max-ns")
}

func roundTrip(b *testing.B, submit func(func())) {
	answer := make(chan struct{})
	task := func() { answer <- struct{}{} }
	latencies(b, func() {
		submit(task)
		<-answer
	})
}

func loopRoundTrip(b *testing.B) {
	roundTrip(b, submitTo(benchLoop(b)))
}

// loopBusyPolling is the round trip of a loop that looks for work before it parks.
func loopBusyPolling(b *testing.B) {
	roundTrip(b, submitTo(benchLoop(b, eventloop.WithBusyPolling(50*time.Microsecond))))
}

func channelRoundTrip(b *testing.B) {
	roundTrip(b, channelLoop(b))
}

func loopDo(b *testing.B) {
	loop := benchLoop(b)
	ctx := context.Background()
	latencies(b, func() { _ = loop.Do(ctx, func() {}) })
}

// channelCall is a hand-written call that can be given up.
func channelCall(submit func(func()), ctx context.Context, fn func()) {
	done := make(chan struct{})
	submit(func() { fn(); close(done) })
	select {
	case <-done:
	case <-ctx.Done():
	}
}

func channelDo(b *testing.B) {
	submit := channelLoop(b)
	ctx := context.Background()
	latencies(b, func() { channelCall(submit, ctx, func() {}) })
}

// loopDoInside is Do in a callback of the loop, which runs the function at once. It is compared with Do from outside,
// because a channel's goroutine cannot call itself.
func loopDoInside(b *testing.B) {
	loop := benchLoop(b)
	ctx := context.Background()
	_ = loop.Do(ctx, func() {
		latencies(b, func() { _ = loop.Do(ctx, func() {}) })
	})
}

func channelDoInside(b *testing.B) { channelDo(b) }

// loopWait waits for a promise that the loop fulfils.
func loopWait(b *testing.B) {
	loop := benchLoop(b)
	ctx := context.Background()
	latencies(b, func() {
		p, resolver := promise.WithResolvers[int](loop)
		_ = loop.Submit(func() { resolver.Resolve(1) })
		_, _ = p.Wait(ctx)
	})
}

func channelWait(b *testing.B) {
	submit := channelLoop(b)
	ctx := context.Background()
	latencies(b, func() {
		result := make(chan int, 1)
		submit(func() { result <- 1 })
		select {
		case <-result:
		case <-ctx.Done():
		}
	})
}

// loopRunReady runs one task on a loop that the caller drives.
func loopRunReady(b *testing.B) {
	loop := eventloop.New()
	driver, err := adapter.Drive(loop)
	if err != nil {
		b.Fatal(err)
	}
	latencies(b, func() {
		_ = loop.Submit(func() {})
		_, _ = driver.RunReady()
	})
	_ = driver.Close()
}

// channelRunReady is a main loop's own queue of functions.
func channelRunReady(b *testing.B) { channelRoundTrip(b) }

// loopCoroutine has a coroutine wait for a promise that another goroutine fulfils, and answer it.
func loopCoroutine(b *testing.B) {
	loop := benchLoop(b)
	asks := make(chan promise.Resolver[int])
	answer := make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	ended := promise.Spawn(ctx, loop, func(c *promise.Coroutine) (int, error) {
		p, resolver := promise.WithResolvers[int](loop)
		for {
			asks <- resolver
			if _, err := promise.Await(c, p); err != nil {
				return 0, err
			}
			p, resolver = promise.WithResolvers[int](loop)
			select {
			case answer <- struct{}{}:
			case <-ctx.Done():
				return 0, nil
			}
		}
	})
	latencies(b, func() {
		(<-asks).Resolve(1)
		<-answer
	})
	go func() { <-asks; cancel() }()
	_, _ = ended.Wait(context.Background())
	cancel()
}

func channelCoroutine(b *testing.B) {
	asks := make(chan chan int)
	answer := make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for {
			result := make(chan int, 1)
			select {
			case asks <- result:
			case <-ctx.Done():
				return
			}
			<-result
			answer <- struct{}{}
		}
	}()
	latencies(b, func() {
		(<-asks) <- 1
		<-answer
	})
	cancel()
}

// throughput has producers submit b.N tasks in all, and waits until all have run.
func throughput(b *testing.B, producers int, submit func(func())) {
	ran := 0
	done := make(chan struct{})
	n := b.N / producers * producers
	task := func() {
		if ran++; ran == n {
			close(done)
		}
	}
	if n == 0 {
		return
	}
	b.ResetTimer()
	for range producers {
		go func() {
			for range n / producers {
				submit(task)
			}
		}()
	}
	<-done
	b.StopTimer()
}

func loopProducers(producers int) func(b *testing.B) {
	return func(b *testing.B) {
		throughput(b, producers, submitTo(benchLoop(b)))
	}
}

func channelProducers(producers int) func(b *testing.B) {
	return func(b *testing.B) {
		throughput(b, producers, channelLoop(b))
	}
}

// BenchmarkBusyServer is a server whose 64 requests at a time compute 100 µs each and then change shared state. They
// change it on the loop, in a goroutine behind a channel, or under a mutex. It reports how long the change waits.
func BenchmarkBusyServer(b *testing.B) {
	for _, d := range []struct {
		name  string
		setup func(b *testing.B) (change func(func()))
	}{
		{"Loop", func(b *testing.B) func(func()) {
			loop := benchLoop(b)
			return func(fn func()) { _ = loop.Do(context.Background(), fn) }
		}},
		{"LoopSubmit", func(b *testing.B) func(func()) {
			loop := benchLoop(b)
			return func(fn func()) {
				done := make(chan struct{})
				_ = loop.Submit(func() { fn(); close(done) })
				<-done
			}
		}},
		{"Channel", func(b *testing.B) func(func()) {
			submit := channelLoop(b)
			return func(fn func()) { channelCall(submit, context.Background(), fn) }
		}},
		{"Mutex", func(b *testing.B) func(func()) {
			var mu sync.Mutex
			return func(fn func()) {
				mu.Lock()
				defer mu.Unlock()
				fn()
			}
		}},
	} {
		b.Run(d.name, func(b *testing.B) {
			change := d.setup(b)
			const clients = 64
			state := 0
			waits := make([]time.Duration, (b.N/clients+1)*clients)
			var all sync.WaitGroup
			b.ResetTimer()
			for client := range clients {
				all.Go(func() {
					for i := client; i < len(waits); i += clients {
						testkit.Work(computeChunk)
						began := time.Now()
						change(func() { state++ })
						waits[i] = time.Since(began)
					}
				})
			}
			all.Wait()
			b.StopTimer()
			if state != len(waits) {
				b.Fatalf("%d changes, want %d", state, len(waits))
			}
			reportWaits(b, waits)
		})
	}
}
