package loopview

import (
	"context"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
)

// BenchmarkView measures the cost of a view to a loop that is always busy. The unit is tasks for each second of the
// process's processor time, viewers and server included; on systems without that figure, for each second. An
// operation is a round of three slices of time. One has no view, one a view without viewers, and one a page that
// polls over the network twice a second. Their order changes from round to round.
//
// The benchmark reports the tasks in a second of a slice without a view. The other slices are reported as medians,
// over the rounds, of their difference to it in percent. Slices last seconds, because a machine's pace drifts. The
// two slices without a view show the noise of the machine.
func BenchmarkView(b *testing.B) {
	const slice = time.Second
	for _, c := range []struct {
		name string
		run  func(l *eventloop.Loop, until time.Time) (tasks int)
	}{{"Submit", submitUntil}, {"PingPong", pingPongUntil}, {"Work", workUntil}} {
		b.Run(c.name, func(b *testing.B) {
			l := running(b, inspect.WithMetrics(), eventloop.WithName("measured"))
			rate := func(kind int) float64 {
				var v *View
				if kind >= nobodyLooks {
					v = New(l)
				}
				if kind == looked {
					server := httptest.NewServer(v)
					ctx, leave := context.WithCancel(context.Background())
					left, first := make(chan struct{}), make(chan struct{})
					go func() { defer close(left); page(ctx, server.URL, first) }()
					<-first
					defer func() {
						leave()
						<-left
						server.Close()
						locked(v, func() { v.until = v.boot })
						v.sampleOnce(time.Now()) // the last viewer has gone
					}()
				}
				start, used := time.Now(), processorTime()
				n := c.run(l, start.Add(slice))
				if used > 0 {
					return float64(n) / (processorTime() - used).Seconds()
				}
				return float64(n) / time.Since(start).Seconds()
			}
			rate(without)
			var rates [4][]float64
			for i := range b.N {
				for j := range rates {
					kind := (i + j) % len(rates)
					rates[kind] = append(rates[kind], rate(kind))
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(median(rates[without]), "tasks/s")
			for kind, unit := range map[int]string{again: "%-again", nobodyLooks: "%-nobody-looks", looked: "%-looked"} {
				var differences []float64
				for i, r := range rates[kind] {
					differences = append(differences, 100*(r/rates[without][i]-1))
				}
				b.ReportMetric(median(differences), unit)
			}
		})
	}
}

const (
	without = iota
	again   // without, too
	nobodyLooks
	looked
)

func median(all []float64) float64 {
	all = slices.Sorted(slices.Values(all))
	return (all[len(all)/2] + all[(len(all)-1)/2]) / 2
}

func submitUntil(l *eventloop.Loop, until time.Time) (n int) {
	task := func() { n++ }
	drained := make(chan struct{})
	last := func() { n++; drained <- struct{}{} }
	for time.Now().Before(until) {
		for range 1023 {
			_ = l.Submit(task)
		}
		_ = l.Submit(last)
		<-drained
	}
	return n
}

func pingPongUntil(l *eventloop.Loop, until time.Time) (n int) {
	answer := make(chan struct{})
	task := func() { n++; answer <- struct{}{} }
	for time.Now().Before(until) {
		for range 100 {
			_ = l.Submit(task)
			<-answer
		}
	}
	return n
}

// workUntil has the loop run tasks of some 10 µs all the time.
func workUntil(l *eventloop.Loop, until time.Time) (n int) {
	var task func()
	done := make(chan struct{})
	task = func() {
		sum := 0
		for i := range 10_000 {
			sum += i ^ sum
		}
		runtime.KeepAlive(sum)
		if n++; n%10 == 0 && !time.Now().Before(until) {
			close(done)
			return
		}
		_ = l.Submit(task)
	}
	_ = l.Submit(task)
	<-done
	return n
}

// page asks as the page's script does.
func page(ctx context.Context, url string, first chan struct{}) {
	tick := uint64(0)
	for ctx.Err() == nil {
		r, _ := http.NewRequestWithContext(ctx, http.MethodGet, url+"/state?since="+strconv.FormatUint(tick, 10), nil)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		if first != nil {
			close(first)
			first = nil
		} else {
			tick++
		}
		select {
		case <-time.After(interval):
		case <-ctx.Done():
		}
	}
}

// BenchmarkRecorded is a task, submitted and run, of a loop whose callbacks are all recorded, which makes two events
// each. Each half second has at most 1,000 events.
func BenchmarkRecorded(b *testing.B) {
	l := running(b, inspect.WithMetrics())
	r := &recorder{loop: l, reports: new(reports)}
	r.observe(math.MaxInt)
	ran := 0
	task := func() { ran++ }
	for left := b.N; left > 0; left -= 1024 {
		_ = l.Do(context.Background(), func() {
			for range min(left, 1024) {
				_ = l.Submit(task)
			}
		})
	}
	_ = l.Do(context.Background(), func() {})
	r.end()
	if r.recorded < ran-1024 || ran != b.N { // it is observed from the second turn on
		b.Fatalf("%d tasks, %d spans, want %d", ran, r.recorded, b.N)
	}
}

// BenchmarkSample measures the work done twice a second for each loop. BenchmarkAnswer measures the work done twice a
// second for the viewers, on goroutines of their own: the JSON of as many spans as an answer has.
func BenchmarkSample(b *testing.B) {
	w := benchWatched(b)
	for i := range b.N {
		w.take(uint64(i), time.Now())
	}
	w.detach()
}

func BenchmarkAnswer(b *testing.B) {
	w := benchWatched(b)
	v := &View{loops: []*watched{w}, tick: 1, answers: make(map[uint64][]byte)}
	size := 0
	for range b.N {
		clear(v.answers)
		a, err := v.answer(0)
		if err != nil {
			b.Fatal(err)
		}
		size = len(a)
	}
	b.ReportMetric(float64(size), "B/answer")
	w.detach()
}

// benchWatched has as many spans as are recorded in a half second.
func benchWatched(b *testing.B) *watched {
	w := &watched{loop: running(b, inspect.WithMetrics())}
	w.attach(new(reports), 0)
	for i := range eventsPerTick / 2 {
		w.recorder.mu.Lock()
		w.recorder.add(span{kind: spanCallback, at: time.Duration(i) * time.Microsecond, took: time.Microsecond, name: "main.work"})
		w.recorder.mu.Unlock()
	}
	b.ResetTimer()
	return w
}
