//go:build explore

package loopsource

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/explore"
	"github.com/eventloop-go/eventloop/internal/inside"
)

// The ops of programs with a source and a bounded queue.
const (
	srcSend = iota
	srcTrySend
	srcCloseSource
	srcUnref
	srcRef
	srcStats
	srcSubmit
	srcDo
	srcMicro
	srcSleep
	srcPanic
	srcGoexit
	srcCancel
	srcShutdown
	srcClose
)

// A bounded queue, and a source of events whose senders wait, are refused or drop.
func TestExploreSources(t *testing.T) {
	explore.Family{Name: t.Name(), Options: 7, Actors: 4, Ops: 5, Run: runSource, Kinds: []explore.OpKind{
		srcSend:        {Name: "send", Weight: 8, Callback: true},
		srcTrySend:     {Name: "trysend", Weight: 5, Callback: true},
		srcCloseSource: {Name: "closesource", Weight: 1},
		srcUnref:       {Name: "unref", Weight: 1},
		srcRef:         {Name: "ref", Weight: 1},
		srcStats:       {Name: "stats", Weight: 2},
		srcSubmit:      {Name: "submit", Weight: 6, Callback: true},
		srcDo:          {Name: "do", Weight: 1},
		srcMicro:       {Name: "micro", Weight: 2, Callback: true, Inside: 1},
		srcSleep:       {Name: "sleep", Weight: 1, Inside: -1},
		srcPanic:       {Name: "panic", Weight: 1, Inside: 1},
		srcGoexit:      {Name: "goexit", Weight: 1, Inside: 1},
		srcCancel:      {Name: "cancel", Weight: 1},
		srcShutdown:    {Name: "shutdown", Weight: 1},
		srcClose:       {Name: "close", Weight: 1},
	}}.Explore(t)
}

var errExplore = errors.New("the program has cancelled this")

// A srcWorld is the judge of one run.
type srcWorld struct {
	loop            *eventloop.Loop
	s               *Source[*srcEvent]
	capacity, limit int
	full            WhenFull
	auto            bool
	owner, clock    int
	depth           int
	events          []*srcEvent
	tasks           []*srcEvent // external ones, that count against the limit
	micros          int         // of an event, that have not run
	doing           int         // calls of Do
	thrown, handled int
	stopped, closed bool // a call of Close has begun
	sourceClosed    bool
	returned        bool
	actors          int
	ctx             context.Context
	cancel          context.CancelCauseFunc
}

// A srcEvent is an event of the source, or a task.
type srcEvent struct {
	begin, end, ran int // stamps; 0 while it is not so
	refused         bool
	body            func()
}

func runSource(p explore.Program) {
	w := &srcWorld{owner: -1, full: WhenFull(p.Options & 3 % 3), capacity: int(p.Options >> 2 & 3), limit: int(p.Options >> 4 & 3), auto: p.Options>>6&1 != 0}
	w.ctx, w.cancel = context.WithCancelCause(context.Background())
	opts := []eventloop.Option{eventloop.WithQueueLimit(w.limit), nil, eventloop.WithPanicHandler(func(*eventloop.PanicError) { w.handled++ })}
	if w.auto {
		opts[1] = eventloop.WithAutoExit()
	}
	w.loop = eventloop.New(opts...)
	var err error
	if w.s, err = New(w.loop, w.capacity, w.full, w.event); err != nil {
		explore.Fail("New returns %v", err)
	}
	w.actors = len(p.Actors)
	explore.GoNamed("loop", func() {
		defer func() { w.owner, w.returned = -1, true }()
		w.owner = explore.Self()
		_ = w.loop.Run(context.Background())
	})
	for _, ops := range p.Actors {
		explore.GoNamed("actor", func() {
			defer func() { w.actors-- }()
			w.perform(ops)
		})
	}
	explore.Until("actors", func() bool { return w.actors == 0 })
	explore.Quiet()
	w.quiet()
	w.stopped = true
	if err := w.loop.Shutdown(context.Background()); err != nil {
		explore.Fail("Shutdown returns %v", err)
	}
	explore.Quiet() // also for goroutines that wait on the loop's context
	w.ended()
}

func (w *srcWorld) stamp() int {
	w.clock++
	return w.clock
}

func (w *srcWorld) onLoop() bool { return w.owner >= 0 && explore.Self() == w.owner }

func (w *srcWorld) perform(ops []explore.Op) {
	for i := range ops {
		w.performOne(&ops[i])
	}
}

func (w *srcWorld) performOne(op *explore.Op) {
	body, within := func() { w.perform(op.Sub) }, w.onLoop()
	switch op.Code {
	case srcSend:
		ctx := context.Background()
		if op.A < 4 {
			ctx = w.ctx
		}
		w.send(body, func(e *srcEvent) error { return w.s.Send(ctx, e) }, func(err error) bool {
			return errors.Is(err, errExplore) && ctx.Err() != nil || err == eventloop.ErrOnLoop && within && w.full == Wait && w.capacity > 0
		})
	case srcTrySend:
		w.send(body, w.s.TrySend, func(err error) bool { return err == eventloop.ErrQueueFull && w.full == Wait && w.capacity > 0 })
	case srcCloseSource:
		w.sourceClosed = true
		w.s.Close()
	case srcUnref:
		w.s.Unref()
	case srcRef:
		w.s.Ref()
	case srcStats:
		if st := w.s.Stats(); st.Sent != st.Delivered+st.Dropped+uint64(st.Queued) || w.capacity > 0 && st.Queued > w.capacity {
			explore.Fail("the statistics do not add up: %+v", st)
		}
	case srcSubmit:
		w.submit(body)
	case srcDo:
		w.do()
	case srcMicro:
		if within {
			w.micros++
			if err := w.loop.ScheduleMicrotask(func() { w.micros--; body() }); err != nil {
				w.micros--
			}
		}
	case srcSleep:
		explore.Sleep(time.Millisecond)
	case srcPanic:
		if within {
			w.thrown++
			panic(errExplore)
		}
	case srcGoexit:
		if within {
			w.thrown++
			runtime.Goexit()
		}
	case srcCancel:
		explore.Point("cancel")
		w.cancel(errExplore)
	case srcShutdown:
		w.stopped = true
		gone, cancel := context.WithCancelCause(context.Background())
		cancel(errExplore)
		_ = w.loop.Shutdown(gone)
	case srcClose:
		w.stopped, w.closed = true, true
		_ = w.loop.Close()
	}
}

// ending judges an error that says that something has come to its end.
func (w *srcWorld) ending(err error) bool {
	return err == eventloop.ErrLoopTerminated && (w.stopped || w.auto) || err == ErrClosed && w.sourceClosed
}

// send sends an event. excused reports errors that are allowed, in addition to those at an end.
func (w *srcWorld) send(body func(), call func(*srcEvent) error, excused func(error) bool) {
	e := &srcEvent{begin: w.stamp(), body: body}
	w.events = append(w.events, e)
	err := call(e)
	e.end = w.stamp()
	if err == nil {
		return
	}
	e.refused = true
	if e.ran > 0 {
		explore.Fail("a refused event has run")
	}
	if !w.ending(err) && !excused(err) {
		explore.Fail("an event is refused with %v", err)
	}
}

// event is a call by the source.
func (w *srcWorld) event(e *srcEvent) {
	explore.Note("event begins")
	w.enter("an event", e)
	defer func() { w.depth-- }()
	if w.micros > 0 && !w.closed {
		explore.Fail("an event runs before %d microtasks of the last callback", w.micros)
	}
	for _, o := range w.events {
		switch {
		case o.ran > 0 && o != e && e.end > 0 && e.end < o.begin:
			explore.Fail("an event runs after one that was sent later")
		case w.full == Wait && o.ran == 0 && o.end > 0 && !o.refused && o.end < e.begin:
			explore.Fail("an event runs before one that was sent earlier")
		}
	}
	e.body()
}

func (w *srcWorld) enter(what string, e *srcEvent) {
	if !w.onLoop() || w.depth > 0 || e.ran > 0 || e.refused {
		explore.Fail("%s runs on the loop: %t, inside %d callbacks, for the second time: %t, refused: %t", what, w.onLoop(), w.depth, e.ran > 0, e.refused)
	}
	w.depth++
	e.ran = w.stamp()
}

// waiting counts tasks that wait for sure: accepted, and not begun.
func (w *srcWorld) waiting() (sure, perhaps int) {
	for _, e := range w.tasks {
		if e.ran == 0 && !e.refused {
			perhaps++
			if e.end > 0 {
				sure++
			}
		}
	}
	return sure, perhaps
}

// submit submits a task: refused only if there may be as many as the limit allows.
func (w *srcWorld) submit(body func()) {
	_, before := w.waiting()
	known := len(w.tasks) + w.doing
	e := &srcEvent{begin: w.stamp(), body: body}
	w.tasks = append(w.tasks, e)
	err := w.loop.Submit(func() {
		w.enter("a task", e)
		defer func() { w.depth-- }()
		body()
	})
	e.end = w.stamp()
	if err != nil {
		e.refused = true
	}
	// One task represents the source.
	most := before + w.doing + 1 + len(w.tasks) + w.doing - known - 1
	switch sure, _ := w.waiting(); {
	case err == nil && w.limit > 0 && sure > w.limit:
		explore.Fail("%d tasks wait, the limit is %d", sure, w.limit)
	case err == nil:
	case err == eventloop.ErrQueueFull && w.limit > 0:
		if most < w.limit {
			explore.Fail("a task is refused where at most %d wait, and the limit is %d", most, w.limit)
		}
	case err == eventloop.ErrLoopTerminated && (w.stopped || w.auto):
	default:
		explore.Fail("a task is refused with %v", err)
	}
}

func (w *srcWorld) do() {
	if w.onLoop() {
		return
	}
	w.doing++
	ran := 0
	err := w.loop.Do(context.Background(), func() { ran++ })
	switch {
	case err == nil && ran == 1, err == eventloop.ErrQueueFull && w.limit > 0 && ran == 0, err == eventloop.ErrLoopTerminated && (w.stopped || w.auto) && ran == 0:
	default:
		explore.Fail("Do returns %v and has run its function %d times", err, ran)
	}
}

// counts returns the program's own count of the source's statistics.
func (w *srcWorld) counts() (want Stats) {
	for _, e := range w.events {
		switch {
		case e.end == 0:
		case e.refused:
			want.Refused++
		default:
			want.Sent++
			if e.ran > 0 {
				want.Delivered++
			} else {
				want.Dropped++
			}
		}
	}
	return want
}

// quiet judges a moment at which all goroutines are blocked.
func (w *srcWorld) quiet() {
	if w.stopped || w.returned {
		return
	}
	if n, _ := w.waiting(); n > 0 || w.micros > 0 {
		explore.Fail("the loop sleeps while %d tasks and %d microtasks wait", n, w.micros)
	}
	if n := inside.ProbeOf(w.loop).Bounded(); n != 0 {
		explore.Fail("the loop sleeps, and %d tasks are counted", n)
	}
	w.judge()
	if w.auto && w.s.alive == nil && inside.ProbeOf(w.loop).Live() == 0 {
		explore.Fail("nothing keeps the loop open, and it does not end")
	}
	if w.handled != w.thrown {
		explore.Fail("the panic handler was called %d times for %d panics", w.handled, w.thrown)
	}
}

// judge compares the source's statistics with the recorded events.
func (w *srcWorld) judge() {
	got, want := w.s.Stats(), w.counts()
	if got != want {
		explore.Fail("the source counts %+v, the program %+v", got, want)
	}
	if got.Dropped > 0 && (w.full == Wait || w.capacity == 0) && !w.closed {
		explore.Fail("a source that drops nothing has dropped %d events", got.Dropped)
	}
}

// ended judges a loop that has ended.
func (w *srcWorld) ended() {
	w.madeRoom()
	if !w.returned {
		explore.Fail("Run has not returned")
	}
	n, _ := w.waiting()
	if d := w.loop.Dropped(); n > 0 && !w.closed || d.External < n {
		explore.Fail("%d accepted tasks have not run, %d are counted as dropped", n, d.External)
	}
	w.judge()
	select {
	case <-w.s.Done():
	default:
		explore.Fail("the loop has ended, and the source is open")
	}
}

// madeRoom judges that a dropped event made room for an accepted one: after each dropped event, at least as many
// events as the capacity were sent.
func (w *srcWorld) madeRoom() {
	if w.full != DropOldest || w.closed {
		return
	}
	for _, e := range w.events {
		if e.refused || e.ran > 0 {
			continue
		}
		later := 0
		for _, o := range w.events {
			if o != e && !o.refused && o.end > e.begin {
				later++
			}
		}
		if later < w.capacity {
			explore.Fail("an event was dropped, and %d were accepted after it; there is room for %d", later, w.capacity)
		}
	}
}
