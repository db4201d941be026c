package js_test

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/js"
)

// timed runs body with a Performance whose time origin is now, in virtual time.
func timed(t *testing.T, body func(t *testing.T, p *js.Performance)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { body(t, js.New(eventloop.New()).NewPerformance()) })
}

func pass(ms int) { time.Sleep(time.Duration(ms) * time.Millisecond) } // virtual

// names shows a timeline in short: "name@start+duration".
func names(entries []js.PerformanceEntry) (out []string) {
	for _, e := range entries {
		out = append(out, fmt.Sprintf("%s@%v+%v", e.Name, e.StartTime, e.Duration))
	}
	return out
}

func same(t *testing.T, what string, entries []js.PerformanceEntry, want ...string) {
	t.Helper()
	if got := names(entries); len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// High Resolution Time 7.1, 7.2.
func TestNowCountsFromTheTimeOrigin(t *testing.T) {
	timed(t, func(t *testing.T, p *js.Performance) {
		if now, origin := p.Now(), p.TimeOrigin(); now != 0 || origin != float64(time.Now().UnixMilli()) {
			t.Errorf("now %v, time origin %v", now, origin)
		}
		pass(3)
		if now := p.Now(); now != 3 {
			t.Errorf("now %v after 3 ms", now)
		}
	})
}

// User Timing 3.1.1: a mark is at the present or at startTime.
func TestMarkIsAtThePresentOrAtItsStartTime(t *testing.T) {
	timed(t, func(t *testing.T, p *js.Performance) {
		pass(5)
		a, err := p.Mark("a")
		if want := (js.PerformanceEntry{Name: "a", EntryType: "mark", StartTime: 5}); err != nil || a != want {
			t.Errorf("%+v, %v, want %+v", a, err, want)
		}
		b, err := p.Mark("b", js.WithStartTime(0), js.WithDetail(42))
		if want := (js.PerformanceEntry{Name: "b", EntryType: "mark", Detail: 42}); err != nil || b != want {
			t.Errorf("%+v, %v, want %+v", b, err, want)
		}
	})
}

// User Timing 3.1.3: the meaning of each combination of start, end and duration.
func TestMeasureLastsFromItsStartToItsEnd(t *testing.T) {
	timed(t, func(t *testing.T, p *js.Performance) {
		_, _ = p.Mark("a", js.WithStartTime(3))
		_, _ = p.Mark("b", js.WithStartTime(7))
		pass(10)
		for _, c := range []struct {
			opts            []js.EntryOption
			start, duration float64
		}{
			{nil, 0, 10},
			{[]js.EntryOption{js.WithStartMark("a")}, 3, 7},
			{[]js.EntryOption{js.WithEndMark("b")}, 0, 7},
			{[]js.EntryOption{js.WithStartMark("a"), js.WithEndMark("b")}, 3, 4},
			{[]js.EntryOption{js.WithStartMark("b"), js.WithEndMark("a")}, 7, -4},
			{[]js.EntryOption{js.WithStartTime(0), js.WithEndTime(0)}, 0, 0},
			{[]js.EntryOption{js.WithStartTime(20)}, 20, -10},
			{[]js.EntryOption{js.WithStartMark("a"), js.WithDuration(50)}, 3, 50},
			{[]js.EntryOption{js.WithEndMark("b"), js.WithDuration(2)}, 5, 2},
			{[]js.EntryOption{js.WithEndTime(5), js.WithDuration(9)}, -4, 9},
			{[]js.EntryOption{js.WithStartTime(6), js.WithDuration(-1)}, 6, -1},
		} {
			m, err := p.Measure("m", append(c.opts, js.WithDetail("d"))...)
			if len(c.opts) == 0 {
				m, err = p.Measure("m")
			}
			if err != nil || m.StartTime != c.start || m.Duration != c.duration || m.EntryType != "measure" {
				t.Errorf("%+v, %v, want start %v, duration %v", m, err, c.start, c.duration)
			}
			if len(c.opts) > 0 && m.Detail != "d" {
				t.Errorf("detail %v", m.Detail)
			}
		}
	})
}

// User Timing 3.5, convert a mark to a timestamp: the most recent mark of the name. Node takes the one made last.
func TestMeasureUsesTheMarkMadeLast(t *testing.T) {
	timed(t, func(t *testing.T, p *js.Performance) {
		_, _ = p.Mark("a", js.WithStartTime(50))
		_, _ = p.Mark("a", js.WithStartTime(10))
		if m, err := p.Measure("m", js.WithStartMark("a"), js.WithEndTime(60)); err != nil || m.StartTime != 10 {
			t.Errorf("%+v, %v", m, err)
		}
	})
}

// User Timing 3.1.3 and 3.5: SyntaxError for an unknown mark, TypeError for meaningless arguments.
func TestBadMarksAndMeasuresGetErrorsAndLeaveNothing(t *testing.T) {
	timed(t, func(t *testing.T, p *js.Performance) {
		for i, c := range []struct {
			want error
			call func() (js.PerformanceEntry, error)
		}{
			{js.ErrType, func() (js.PerformanceEntry, error) { return p.Mark("m", js.WithStartTime(-1)) }},
			{js.ErrType, func() (js.PerformanceEntry, error) { return p.Mark("m", js.WithStartTime(nan)) }},
			{js.ErrType, func() (js.PerformanceEntry, error) { return p.Mark("m", js.WithStartTime(inf)) }},
			{js.ErrType, func() (js.PerformanceEntry, error) { return p.Mark("m", js.WithEndTime(1)) }},
			{js.ErrType, func() (js.PerformanceEntry, error) { return p.Mark("m", js.WithDuration(1)) }},
			{js.ErrType, func() (js.PerformanceEntry, error) { return p.Mark("m", js.WithStartMark("")) }},
			{js.ErrSyntax, func() (js.PerformanceEntry, error) { return p.Measure("m", js.WithStartMark("nope")) }},
			{js.ErrSyntax, func() (js.PerformanceEntry, error) { return p.Measure("m", js.WithEndMark("")) }},
			{js.ErrType, func() (js.PerformanceEntry, error) { return p.Measure("m", js.WithStartTime(-1)) }},
			{js.ErrType, func() (js.PerformanceEntry, error) { return p.Measure("m", js.WithEndTime(nan)) }},
			{js.ErrType, func() (js.PerformanceEntry, error) { return p.Measure("m", js.WithDetail(1)) }},
			{js.ErrType, func() (js.PerformanceEntry, error) { return p.Measure("m", js.WithDuration(1)) }},
			{js.ErrType, func() (js.PerformanceEntry, error) {
				return p.Measure("m", js.WithStartTime(1), js.WithDuration(inf))
			}},
			{js.ErrType, func() (js.PerformanceEntry, error) {
				return p.Measure("m", js.WithStartTime(1), js.WithEndTime(2), js.WithDuration(1))
			}},
		} {
			if e, err := c.call(); !errors.Is(err, c.want) || e != (js.PerformanceEntry{}) {
				t.Errorf("case %d: %+v, %v", i, e, err)
			}
		}
		same(t, "timeline", p.GetEntries())
	})
}

// Performance Timeline 3.2: in order of start times, and of making where they are equal.
func TestEntriesComeInOrderOfTheirStartTimes(t *testing.T) {
	timed(t, func(t *testing.T, p *js.Performance) {
		pass(5)
		_, _ = p.Mark("a")
		_, _ = p.Mark("b")
		_, _ = p.Measure("a") // from 0
		pass(1)
		_, _ = p.Mark("early", js.WithStartTime(5))
		_, _ = p.Mark("a")
		same(t, "all", p.GetEntries(), "a@0+5", "a@5+0", "b@5+0", "early@5+0", "a@6+0")
		same(t, "measures", p.GetEntriesByType("measure"), "a@0+5")
		same(t, "marks", p.GetEntriesByType("mark"), "a@5+0", "b@5+0", "early@5+0", "a@6+0")
		same(t, "no such type", p.GetEntriesByType(""))
		same(t, "name", p.GetEntriesByName("a", ""), "a@0+5", "a@5+0", "a@6+0")
		same(t, "name and type", p.GetEntriesByName("a", "mark"), "a@5+0", "a@6+0")
		same(t, "no such name", p.GetEntriesByName("nope", ""))
		p.GetEntries()[0].Name = "changed"
		same(t, "after a copy was changed", p.GetEntriesByType("measure"), "a@0+5")
	})
}

// User Timing 3.1.2 and 3.1.4.
func TestMarksAndMeasuresAreClearedByNameOrAll(t *testing.T) {
	timed(t, func(t *testing.T, p *js.Performance) {
		for _, name := range []string{"a", "b"} {
			_, _ = p.Mark(name)
			_, _ = p.Mark(name)
			_, _ = p.Measure(name)
		}
		p.ClearMarks("a", "nope")
		same(t, "marks but a", p.GetEntries(), "a@0+0", "b@0+0", "b@0+0", "b@0+0")
		if _, err := p.Measure("m", js.WithStartMark("a")); !errors.Is(err, js.ErrSyntax) {
			t.Errorf("from a mark that was cleared: %v", err)
		}
		p.ClearMeasures("b")
		same(t, "measures but b", p.GetEntriesByType("measure"), "a@0+0")
		p.ClearMarks()
		same(t, "no marks", p.GetEntries(), "a@0+0")
		if _, err := p.Measure("m", js.WithStartMark("b")); !errors.Is(err, js.ErrSyntax) {
			t.Errorf("from a mark that was cleared: %v", err)
		}
		p.ClearMeasures()
		same(t, "nothing", p.GetEntries())
	})
}

func TestTimelineIsForAllGoroutines(t *testing.T) {
	p := js.New(eventloop.New()).NewPerformance()
	var working sync.WaitGroup
	for i := range 4 {
		working.Go(func() {
			name := fmt.Sprint(i)
			for range 100 {
				_, _ = p.Mark(name)
				if _, err := p.Measure(name, js.WithStartMark(name)); err != nil {
					t.Error(err)
				}
				p.GetEntriesByName(name, "")
			}
			p.ClearMeasures(name)
		})
	}
	working.Wait()
	entries := p.GetEntries()
	for i, e := range entries {
		if i > 0 && e.StartTime < entries[i-1].StartTime {
			t.Errorf("entry %d is out of order", i)
		}
	}
	if len(entries) != 400 {
		t.Errorf("%d entries, want 400", len(entries))
	}
}
