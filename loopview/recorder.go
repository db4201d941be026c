package loopview

import (
	"sync"
	"time"

	"github.com/eventloop-go/eventloop"
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
	phase    eventloop.Phase
	jobs     uint32
	at, took time.Duration // at is since the loop was made
	name     string
	made     string
	tick     uint64
}

// A recorder records what a loop does. The loop calls its observer; whoever serves the page reads. It is made when
// somebody begins to look, and dropped when nobody looks any more.
//
// It observes until a number of events have come, and then stops by itself, so that its cost is bounded however busy the loop
// is.
type recorder struct {
	loop    *eventloop.Loop
	reports *reports

	mu       sync.Mutex
	over     bool // nobody looks any more
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
	began    time.Duration // when it began; 0 if there is none
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
	r.stop = r.loop.Observe(eventloop.ObservePhases|eventloop.ObserveCallbacks, func(e eventloop.Event) { r.event(round, e) })
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
func (r *recorder) event(round int, e eventloop.Event) {
	// Names and places are found outside of the lock.
	var name, made string
	switch e.Type {
	case eventloop.CallbackBegan:
		name = e.Function()
	case eventloop.CallbackEnded:
		if e.Took >= tellPlace {
			made = e.Submitted()
		}
	}
	r.mu.Lock()
	if round != r.round || r.left == 0 {
		r.mu.Unlock()
		return
	}
	if !r.dated { // what it tells is of this moment
		r.dated, r.made = true, time.Now().Add(-e.At)
	}
	if r.unseen {
		r.unseen = false
		r.add(span{kind: spanUnseen, at: r.seen, took: e.At - r.seen})
	}
	if r.sleeps && e.Type != eventloop.LoopSleeps { // a loop that is driven does not tell that it wakes
		r.sleeps = false
		r.add(span{kind: spanSleep, at: r.slept, took: e.At - r.slept})
	}
	switch e.Type {
	case eventloop.CallbackBegan:
		r.running, r.began = name, max(e.At, 1)
	case eventloop.CallbackEnded:
		kind := spanCallback
		if e.Checkpoint {
			kind = spanCheckpoint
		}
		r.add(span{kind, e.Phase, uint32(e.Jobs), e.At - e.Took, e.Took, r.running, made, 0})
		if e.Took >= slowAfter {
			r.reports.add(eventloop.SlowCallback{
				Loop: r.loop.Name(), Phase: e.Phase, Checkpoint: e.Checkpoint, Function: r.running, Submitted: made, Took: e.Took, Jobs: e.Jobs,
			}, false)
		}
		r.running, r.began = "", 0
	case eventloop.PhaseEnded:
		r.add(span{kind: spanPhase, phase: e.Phase, at: e.At - e.Took, took: e.Took})
	case eventloop.LoopSleeps:
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

// now adds what the loop is doing.
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
