package timers

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// BenchmarkLongestUnderTheLock times single calls under the lock. The store has a million timers; half of them are
// cancelled, first while the owner does not come, and then while it does. The benchmark reports the longest call, and
// the 99.9th percentile. A processor that does other work meanwhile adds to the longest. Schedule prunes.
func BenchmarkLongestUnderTheLock(b *testing.B) {
	const n = 1_000_000
	var took []time.Duration
	timed := func(call func()) {
		start := time.Now()
		call()
		took = append(took, time.Since(start))
	}
	for range b.N {
		s := newBench(Options{})
		random := rand.New(rand.NewPCG(1, 2))
		fn := func() {}
		handles := make([]Handle, 0, n)
		schedule := func() {
			var u Supply
			u.Expect(&s.Store)
			for ok := false; !ok; {
				var h Handle
				when := 1<<40 + random.Int64N(1<<42)
				timed(func() { h, ok = s.Schedule(&u, when, 0, fn, Once) })
				if !ok {
					u.Make(&s.Store)
				}
				if ok {
					handles = append(handles, h)
				}
			}
		}
		for range n / 2 {
			schedule()
		}
		timed(func() { s.Take() })
		s.Adopt()
		for range n / 2 {
			schedule()
		}
		random.Shuffle(n, func(i, j int) { handles[i], handles[j] = handles[j], handles[i] })
		for _, h := range handles[:n/2] {
			s.cancel(h)
		}
		for range 100_000 { // half of the arrivals are stale
			schedule()
		}
		for range 100 {
			timed(func() { s.Take(); s.Next(); s.NextLive() })
			s.Adopt()
			s.Trim()
			for range 1000 {
				schedule()
			}
		}
	}
	slices.Sort(took)
	at := func(share float64) float64 { return float64(took[int(float64(len(took)-1)*share)]) }
	b.ReportMetric(at(1), "longest-ns")
	b.ReportMetric(at(0.99999), "p99.999-ns")
	b.ReportMetric(at(0.999), "p99.9-ns")
	b.ReportMetric(0, "ns/op")
}
