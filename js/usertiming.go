package js

import (
	"fmt"
	"math"
)

// An EntryOption says more about a mark or a measure: a member of PerformanceMarkOptions or PerformanceMeasureOptions.
type EntryOption func(*entryOptions)

type entryOptions struct {
	start, end *moment
	duration   *float64
	detail     any
	given      bool // anything at all
}

// A moment is a time on the timeline, or a mark with one.
type moment struct {
	mark   string
	marked bool // it is a mark
	time   float64
}

// WithStartTime sets the time of a mark (default: now), or the beginning of a measure (default: the time origin). It
// is in milliseconds since the time origin.
func WithStartTime(ms float64) EntryOption {
	return func(o *entryOptions) { o.start, o.given = &moment{time: ms}, true }
}

// WithStartMark begins a measure at the latest mark with a name.
func WithStartMark(name string) EntryOption {
	return func(o *entryOptions) { o.start, o.given = &moment{mark: name, marked: true}, true }
}

// WithEndTime sets the end of a measure, which is otherwise now: milliseconds since the time origin.
func WithEndTime(ms float64) EntryOption {
	return func(o *entryOptions) { o.end, o.given = &moment{time: ms}, true }
}

// WithEndMark ends a measure at the mark of a name that was made last.
func WithEndMark(name string) EntryOption {
	return func(o *entryOptions) { o.end, o.given = &moment{mark: name, marked: true}, true }
}

// WithDuration sets how many milliseconds a measure lasts, in place of one of its ends.
func WithDuration(ms float64) EntryOption {
	return func(o *entryOptions) { o.duration, o.given = &ms, true }
}

// WithDetail attaches a value to a mark or a measure. It is kept as it is, not cloned.
func WithDetail(detail any) EntryOption {
	return func(o *entryOptions) { o.detail, o.given = detail, true }
}

func entryOptionsOf(opts []EntryOption) (o entryOptions) {
	for _, f := range opts {
		if f != nil {
			f(&o)
		}
	}
	return o
}

// Mark puts a mark on the timeline, at the present or at [WithStartTime], perhaps with [WithDetail]: performance.mark
// (User Timing 3.1).
//
// Errors: [ErrType] for a time that is negative or not finite, and for options that only measures have.
func (p *Performance) Mark(name string, opts ...EntryOption) (PerformanceEntry, error) {
	o := entryOptionsOf(opts)
	if o.end != nil || o.duration != nil || o.start != nil && o.start.marked {
		return PerformanceEntry{}, typeError("mark %q: a mark takes WithStartTime and WithDetail only", name)
	}
	e := PerformanceEntry{Name: name, EntryType: markType, Detail: o.detail}
	p.mu.Lock()
	defer p.mu.Unlock()
	if o.start == nil {
		e.StartTime = p.Now()
	} else if err := checkTime(o.start.time); err != nil {
		return PerformanceEntry{}, err
	} else {
		e.StartTime = o.start.time
	}
	p.add(e)
	p.marks[name] = e.StartTime
	return e, nil
}

// Measure puts a measure on the timeline, which has a beginning and an end: performance.measure (User Timing 3.1). By
// default it lasts from the time origin until now. Any two of beginning, end and duration determine it.
//
// Errors: [ErrSyntax] for an unknown mark; [ErrType] for a time that is negative or not finite. ErrType also for all
// three of beginning, end and duration, and, as in the standard, for options that set no beginning and no end.
func (p *Performance) Measure(name string, opts ...EntryOption) (PerformanceEntry, error) {
	o := entryOptionsOf(opts)
	switch {
	case o.given && o.start == nil && o.end == nil:
		return PerformanceEntry{}, typeError("measure %q: options need a start or an end", name)
	case o.start != nil && o.end != nil && o.duration != nil:
		return PerformanceEntry{}, typeError("measure %q: start, end and duration are one too many", name)
	case o.duration != nil && !finite(*o.duration):
		return PerformanceEntry{}, typeError("measure %q: the duration %v is not finite", name, *o.duration)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	start, err := p.resolve(o.start, 0)
	if err != nil {
		return PerformanceEntry{}, err
	}
	end, err := p.resolve(o.end, p.Now())
	if err != nil {
		return PerformanceEntry{}, err
	}
	if o.duration != nil {
		if o.end == nil {
			end = start + *o.duration
		} else {
			start = end - *o.duration
		}
	}
	e := PerformanceEntry{Name: name, EntryType: measureType, StartTime: start, Duration: end - start, Detail: o.detail}
	p.add(e)
	return e, nil
}

// resolve is the standard's "convert a mark to a timestamp". The lock is held.
func (p *Performance) resolve(m *moment, absent float64) (float64, error) {
	switch {
	case m == nil:
		return absent, nil
	case !m.marked:
		return m.time, checkTime(m.time)
	}
	time, ok := p.marks[m.mark]
	if !ok {
		return 0, &Exception{ErrSyntax.Name, fmt.Sprintf("The %q performance mark has not been set", m.mark)}
	}
	return time, nil
}

func checkTime(ms float64) error {
	if ms < 0 || !finite(ms) {
		return typeError("%v is no time on the timeline: it takes milliseconds since the time origin, from 0 up", ms)
	}
	return nil
}

func finite(ms float64) bool { return !math.IsNaN(ms) && !math.IsInf(ms, 0) }

func typeError(format string, args ...any) error {
	return &Exception{ErrType.Name, fmt.Sprintf(format, args...)}
}
