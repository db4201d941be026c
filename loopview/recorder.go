package loopview

import (
	"sync"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
)

const (
	eventsPerTick = 1000
	maxSpans      = 8192 // a power of two
	tellPlace     = time.Millisecond
)

// A spanKind is a row of the time line.
type spanKind uint8

const (
	spanPhase spanKind = iota
	spanCallback
	spanCheckpoint // nextTick callbacks and microtasks that follow no callback
	spanSleep
	spanUnseen // nobody observed
)

// A span is a stretch of a loop's time.
type span struct {
	kind     spanKind
	phase    inspect.Phase
	jobs     uint32
	at, took time.Duration // at is since the loop was made
	name     string
	made     string
	tick     uint64
}

// A recorder records the events of a loop. The loop calls its observer; the page's server reads it. It is made for
// the first viewer, and dropped after the last.
//
// It observes until a number of events have come, and then stops by itself. So its cost is bounded however busy the
// loop is.
type recorder struct {
	loop    *eventloop.Loop
	reports *reports

	mu       sync.Mutex
	over     bool // the last viewer has gone
	round    int  // of observing; an observer of an earlier one is about to stop
	left     int  // events of this round
	stop     func()
	tick     uint64
	spans    []span // a ring
	recorded int    // spans so far
	made     time.Time
	dated    bool
	seen     time.Duration // until when the loop was observed
	unseen   bool          // it was not observed since
	sleeps   bool
	slept    time.Duration // since when
	running  string        // the callback in progress
	began    time.Duration // when it began; 0 without one
}

// observe begins a round of so many events. One that has not come to its end goes on.
func (r *recorder) observe(events int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return
	}
	if r.left > 0 {
		r.left = events
		return
	}
	r.round++
	round := r.round
	r.left = events
	r.stop = inspect.Observe(r.loop, inspect.Phases|inspect.Callbacks, func(e inspect.Event) { r.event(round, e) })
}

// end ends observing for good.
func (r *recorder) end() {
	r.mu.Lock()
	r.over, r.left = true, 0
	stop := r.stop
	r.stop = nil
	r.mu.Unlock()
	if stop != nil {
		stop()
	}
}

func (r *recorder) nextTick(tick uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tick = tick
}

// event runs on the loop.
func (r *recorder) event(round int, e inspect.Event) {
	// Names and places are found outside of the lock.
	var name, made string
	switch e.Type {
	case inspect.CallbackBegan:
		name = e.Function()
	case inspect.CallbackEnded:
		if e.Took >= tellPlace {
			made = e.Submitted()
		}
	}
	r.mu.Lock()
	if round != r.round || r.left == 0 {
		r.mu.Unlock()
		return
	}
	if !r.dated { // its time is this moment
		r.dated, r.made = true, time.Now().Add(-e.At)
	}
	if r.unseen {
		r.unseen = false
		r.add(span{kind: spanUnseen, at: r.seen, took: e.At - r.seen})
	}
	if r.sleeps && e.Type != inspect.LoopSleeps { // a driven loop does not report that it wakes
		r.sleeps = false
		r.add(span{kind: spanSleep, at: r.slept, took: e.At - r.slept})
	}
	switch e.Type {
	case inspect.CallbackBegan:
		r.running, r.began = name, max(e.At, 1)
	case inspect.CallbackEnded:
		kind := spanCallback
		if e.Checkpoint {
			kind = spanCheckpoint
		}
		r.add(span{kind, e.Phase, uint32(e.Jobs), e.At - e.Took, e.Took, r.running, made, 0})
		if e.Took >= slowAfter {
			r.reports.add(inspect.SlowCallback{
				Loop: r.loop.Name(), Phase: e.Phase, Checkpoint: e.Checkpoint, Function: r.running, Submitted: made, Took: e.Took, Jobs: e.Jobs,
			}, false)
		}
		r.running, r.began = "", 0
	case inspect.PhaseEnded:
		r.add(span{kind: spanPhase, phase: e.Phase, at: e.At - e.Took, took: e.Took})
	case inspect.LoopSleeps:
		if !r.sleeps {
			r.sleeps, r.slept = true, e.At
		}
	}
	r.left--
	var stop func()
	if r.left == 0 {
		stop, r.stop = r.stop, nil
		r.unseen, r.seen = true, e.At
		r.sleeps, r.running, r.began = false, "", 0
	}
	r.mu.Unlock()
	if stop != nil {
		stop()
	}
}

// add puts a span into the ring. The lock is held.
func (r *recorder) add(s span) {
	s.tick = r.tick
	if len(r.spans) < maxSpans {
		r.spans = append(r.spans, s)
	} else {
		r.spans[r.recorded%maxSpans] = s
	}
	r.recorded++
}

// between returns the spans that were recorded in the ticks from since to before end, the oldest first.
func (r *recorder) between(since, end uint64) (spans []span) {
	r.mu.Lock()
	defer r.mu.Unlock()
	first := r.recorded - len(r.spans)
	from := r.recorded
	for from > first && r.spans[(from-1)%maxSpans].tick >= since {
		from--
	}
	for ; from < r.recorded && r.spans[from%maxSpans].tick < end; from++ {
		spans = append(spans, r.spans[from%maxSpans])
	}
	return spans
}

// epoch is when the loop was made, or zero as long as it has done nothing.
func (r *recorder) epoch() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.made
}

// now adds the current activity of the loop.
func (r *recorder) now(s *loopState) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.dated {
		return
	}
	s.Made = float64(r.made.UnixNano()) / 1e6
	s.Asleep, s.Slept = r.sleeps && !s.Ended, r.slept
	if r.began > 0 && !s.Ended {
		s.Function, s.Running = shorten(r.running, maxText), max(s.Running, time.Since(r.made)-r.began)
	}
}
