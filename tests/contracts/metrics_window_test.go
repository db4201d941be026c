package contracts_test

import (
	"bytes"
	"encoding/json"
	"expvar"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/looptest"
)

// spend has a loop run callbacks that take so long.
func spend(l *looptest.Loop, times ...time.Duration) {
	for _, d := range times {
		_ = l.Submit(func() { l.Spend(d) })
	}
	l.WaitIdle()
}

func TestAWindowHasWhatRanInIt(t *testing.T) {
	l := looptest.New(t, inspect.WithMetrics())
	spend(l, time.Hour, 10*time.Millisecond)
	before := inspect.ReadMetrics(l.Loop)
	l.Advance(time.Minute)
	spend(l, time.Second, 3*time.Second, 2*time.Second)
	now := inspect.ReadMetrics(l.Loop)
	w := now.Sub(before)
	if w.Ran.External != 3 || w.RunTime.Count != 3 || w.RunTime.Sum != 6*time.Second || w.RunTime.Mean != 2*time.Second {
		t.Errorf("%+v", w)
	}
	if w.Elapsed != time.Minute+6*time.Second {
		t.Errorf("the window has %v", w.Elapsed)
	}
	if d := w.RunTime.Max; d < 3*time.Second || d > 3*time.Second*33/32 {
		t.Errorf("the longest took %v, want 3s", d)
	}
	if d := (w.RunTime.P50 - 2*time.Second).Abs(); d > 2*time.Second/64 {
		t.Errorf("the median is %v, want 2s", w.RunTime.P50)
	}
	if now.RunTime.Max != time.Hour {
		t.Errorf("the longest of all took %v", now.RunTime.Max)
	}
	if again := inspect.ReadMetrics(l.Loop).Sub(now); again.RunTime.Count != 0 || again.RunTime.P99 != 0 || again.RunTime.Max != 0 {
		t.Errorf("%+v in an empty window", again.RunTime)
	}
	if n := w.Throughput(); n < 0.045 || n > 0.046 {
		t.Errorf("%v callbacks a second, want 3 in 66 s", n)
	}
}

func TestMetricsOfLoopsAreAdded(t *testing.T) {
	var sum inspect.Metrics
	for i := range 3 {
		l := looptest.New(t, inspect.WithMetrics())
		for range 10 {
			spend(l, time.Duration(i+1)*time.Second)
		}
		sum = sum.Add(inspect.ReadMetrics(l.Loop))
	}
	if sum.Loops != 3 || sum.Ran.External != 30 || sum.RunTime.Count != 30 || sum.RunTime.Sum != time.Minute || sum.RunTime.Max != 3*time.Second {
		t.Errorf("%+v", sum)
	}
	if got := sum.RunTime.Buckets(time.Millisecond, 1500*time.Millisecond, 2500*time.Millisecond, time.Minute); !slices.Equal(got, []uint64{0, 10, 20, 30}) {
		t.Errorf("buckets %v", got)
	}
}

func TestACallbackThatRunsShowsInTheMaximum(t *testing.T) {
	l := looptest.New(t, inspect.WithMetrics())
	var during, window inspect.Metrics
	spend(l, time.Millisecond)
	before := inspect.ReadMetrics(l.Loop)
	_ = l.Submit(func() {
		l.Spend(100 * time.Millisecond)
		during = inspect.ReadMetrics(l.Loop)
		window = during.Sub(before)
	})
	l.WaitIdle()
	for _, m := range []inspect.Metrics{during, window} {
		// The moment at which it began is published in units of 64 ns.
		if d := m.RunTime.Max - 100*time.Millisecond; d < 0 || d > 64 {
			t.Errorf("%v at most while one has been running for 100ms", m.RunTime.Max)
		}
	}
}

func TestMetricsAreReadableInALog(t *testing.T) {
	l := looptest.New(t, inspect.WithMetrics())
	spend(l, time.Second)
	var out bytes.Buffer
	slog.New(slog.NewTextHandler(&out, nil)).Info("loop", "metrics", inspect.ReadMetrics(l.Loop))
	for _, want := range []string{"metrics.ran=1", "metrics.run_time.max=1s", "metrics.queued=0", "metrics.utilization="} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is not in %s", want, &out)
		}
	}
}

func TestMetricsAreJSONForExpvar(t *testing.T) {
	l := looptest.New(t, inspect.WithMetrics())
	spend(l, time.Second)
	f := expvar.Func(func() any { return inspect.ReadMetrics(l.Loop) })
	var got struct{ RunTime struct{ Count, Max int } }
	if err := json.Unmarshal([]byte(f.String()), &got); err != nil || got.RunTime.Count != 1 || got.RunTime.Max != int(time.Second) {
		t.Errorf("%v: %s", err, f)
	}
}

func TestMetricsOfALoopWithoutThemAreZero(t *testing.T) {
	l := eventloop.New()
	_ = l.Close()
	if m := inspect.ReadMetrics(l); m != (inspect.Metrics{}) || m.Utilization() != 0 || m.Add(m) != m {
		t.Errorf("%+v", m)
	}
}
