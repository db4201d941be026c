//go:build explore

package explored

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	. "github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/internal/explore"
	"github.com/eventloop-go/eventloop/internal/inside"
)

// A lane is a queue whose callbacks run in the order in which they were accepted.
type exLane uint8

const (
	exExternal exLane = iota
	exInternal
	exImmediate
	exTick
	exMicro
	exAfterward
	exTimerLane // no order here: see exTimer
	exLanes
)

func (l exLane) String() string {
	return [...]string{"external", "internal", "immediate", "tick", "microtask", "afterward", "timer"}[l]
}

// macro reports whether callbacks of the lane are followed by a checkpoint.
func (l exLane) macro() bool { return l <= exImmediate || l == exTimerLane }

// An exWorld judges one run. It logs the accepted work and the work that has run, and reports a difference from the
// contracts. Only one goroutine runs at a time, so it needs no lock, and its clock orders everything.
type exWorld struct {
	loop  *Loop
	auto  bool
	meter bool
	clock int

	owner    int    // the goroutine that is in Run, or −1
	macroEnd int    // when the last callback that is followed by a checkpoint ended
	depth    int    // callbacks in progress
	within   bool   // a callback is, inside which another runs, or the checkpoint of that
	shut     bool   // the call of a callback inside another reported that the loop is closed
	cut      bool   // Goexit in that checkpoint ended the callback: the checkpoint goes on where it was
	lane     exLane // of the one that began last
	thrown   int    // panics and Goexits that the handler must receive
	handled  int
	exited   bool // a callback has called Goexit

	jobs    []*exJob
	waiting [exLanes][]*exJob // accepted or about to be, and not run
	timers  []*exTimer
	firing  *exTimer // whose callback is in progress
	resets  int
	bursts  []*exTasks
	doCalls int // of Do
	dos     int // calls of Do from outside whose function has not run
	slots   [3]*exTimer
	keeps   [4]*exKeep
	tokens  []*exKeep
	actors  int // that have not ended

	ctx       context.Context // for Do and Shutdown
	cancel    context.CancelCauseFunc
	runCtx    context.Context
	cancelRun context.CancelCauseFunc

	stopped   int   // when the first call that ends the loop began, or 0
	stopTime  int64 // and the time
	closed    int   // when a call of Close has returned nil, or 0
	closedOps int
	closing   bool // a call of Close has begun
	returned  bool // Run has
	runErr    error
}

// An exJob is a callback that the loop was asked to run.
type exJob struct {
	lane       exLane
	begin, end int // of the call that hands it in; end is 0 while that goes on
	refused    bool
	ran        int
	inside     bool // handed in by a callback
}

// exTasks are the tasks of a burst.
type exTasks struct{ accepted, ran int }

type exKeep struct {
	release  func()
	released bool
}

var errExplore = errors.New("the program has cancelled this")

func newExWorld(options uint) *exWorld {
	w := &exWorld{owner: -1, auto: options&exAuto != 0, meter: options&exMeter != 0}
	w.ctx, w.cancel = context.WithCancelCause(context.Background())
	w.runCtx, w.cancelRun = context.WithCancelCause(context.Background())
	opts := []Option{WithPanicHandler(func(e *PanicError) {
		if w.handled++; e.Value != errExplore && e.Value != ErrGoexit {
			explore.Fail("the panic handler is called with %v\n%s", e.Value, e.Stack)
		}
	})}
	if w.auto {
		opts = append(opts, WithAutoExit())
	}
	if w.meter {
		opts = append(opts, inspect.WithMetrics())
	}
	if options&exBusy != 0 {
		opts = append(opts, WithBusyPolling(200*time.Nanosecond))
	}
	w.loop = New(opts...)
	return w
}

func (w *exWorld) stamp() int {
	w.clock++
	return w.clock
}

func exNow() int64 { return int64(explore.Elapsed()) }

// run is the goroutine of the loop.
func (w *exWorld) run() {
	defer func() {
		w.owner, w.returned = -1, true
		select {
		case <-w.loop.Done():
			return
		default:
		}
		switch {
		case w.runErr == ErrLoopTerminated && w.closing: // Close was first, and is about to end the loop
		default:
			explore.Fail("Run has returned, or its goroutine has ended, before Done is closed")
		}
	}()
	w.owner = explore.Self()
	w.runErr = w.loop.Run(w.runCtx)
}

// hand asks the loop for a callback.
func (w *exWorld) hand(lane exLane, body func(), call func(fn func()) error) *exJob {
	j := &exJob{lane: lane, begin: w.stamp(), inside: w.onLoop()}
	w.jobs = append(w.jobs, j)
	w.waiting[lane] = append(w.waiting[lane], j)
	err := call(func() { w.callback(j, body) })
	j.end = w.stamp()
	if err != nil {
		w.refuse(j, err)
	}
	return j
}

func (w *exWorld) refuse(j *exJob, err error) {
	j.refused = true
	w.drop(j)
	if j.ran > 0 {
		explore.Fail("a refused %v callback has run", j.lane)
	}
	w.mayRefuse(err, j.lane)
}

// mayRefuse judges an error of a call that hands in work.
func (w *exWorld) mayRefuse(err error, lane exLane) {
	switch {
	case err != ErrLoopTerminated:
		explore.Fail("refused with an error that is not documented: %v", err)
	case w.stopped == 0 && !w.auto:
		explore.Fail("a %v callback was refused with %v, though nobody has ended the loop", lane, err)
	case (lane == exTick || lane == exMicro || lane == exInternal) && w.onLoop() && !w.closing:
		explore.Fail("a %v callback was refused inside a callback of a loop that drains", lane)
	}
}

func (w *exWorld) drop(j *exJob) {
	q := w.waiting[j.lane]
	for i := range q {
		if q[i] == j {
			w.waiting[j.lane] = append(q[:i:i], q[i+1:]...)
			return
		}
	}
}

func (w *exWorld) onLoop() bool { return w.owner >= 0 && explore.Self() == w.owner }

// callback is a callback of the loop.
func (w *exWorld) callback(j *exJob, body func()) {
	w.begin(j.lane)
	if j.ran++; j.ran > 1 {
		explore.Fail("a %v callback runs twice", j.lane)
	}
	if j.refused {
		explore.Fail("a refused %v callback runs", j.lane)
	}
	for _, o := range w.waiting[j.lane] {
		if o != j && o.end > 0 && o.end < j.begin {
			explore.Fail("a %v callback runs before one that was accepted before it was handed in", j.lane)
		}
	}
	w.drop(j)
	defer w.end(j.lane)
	body()
}

// begin judges that a callback may run now.
func (w *exWorld) begin(lane exLane) {
	w.stamp()
	explore.Note("%v callback begins", lane)
	if !w.onLoop() {
		explore.Fail("a %v callback runs on goroutine %d, the loop is %d", lane, explore.Self(), w.owner)
	}
	if w.depth > 0 {
		explore.Fail("a %v callback runs inside another", lane)
	}
	if w.closed > 0 && explore.Ops(w.owner)-w.closedOps > exCloseMargin {
		explore.Fail("a %v callback runs after Close", lane)
	}
	w.depth++
	w.lane, w.cut = lane, false
	if lane.macro() {
		w.checkpointed("a "+lane.String()+" callback", exTick, exMicro, exAfterward)
	}
	if lane == exMicro {
		w.checkpointed("a microtask", exTick)
	}
	if lane == exAfterward {
		w.checkpointed("a job of Afterward", exTick, exMicro)
	}
}

// checkpointed judges that the work queued at the end of the last callback has run.
func (w *exWorld) checkpointed(what string, lanes ...exLane) {
	for _, lane := range lanes {
		for _, j := range w.waiting[lane] {
			if j.end > 0 && j.end < w.macroEnd {
				explore.Fail("%s runs before a %v callback that was accepted before the last callback ended", what, lane)
			}
		}
	}
}

func (w *exWorld) end(lane exLane) {
	w.depth--
	if lane.macro() && !w.cut {
		w.macroEnd = w.stamp()
	}
}

// exMargin is how many operations the loop may do between the one that decides that a callback runs and its beginning.
const exMargin = 12

// exCloseMargin is as much for a loop that has found Close not called yet and waits for the lock then.
const exCloseMargin = 40

// stop notes that a call begins that ends the loop.
func (w *exWorld) stop() {
	if w.stopped == 0 && !w.returned {
		w.stopped, w.stopTime = w.stamp(), exNow()
	}
}

// quiet judges a moment at which all goroutines are blocked: all accepted work has run.
func (w *exWorld) quiet() {
	if w.stopped > 0 || w.returned {
		return
	}
	if explore.Waits(w.owner) == "a mutex" {
		explore.Fail("the loop waits for a lock that nobody gives back")
	}
	for lane, jobs := range w.waiting {
		if len(jobs) > 0 {
			explore.Fail("the loop sleeps while %d %v callbacks wait", len(jobs), exLane(lane))
		}
	}
	for _, b := range w.bursts {
		if b.ran != b.accepted {
			explore.Fail("the loop sleeps when %d of %d tasks of a burst have run", b.ran, b.accepted)
		}
	}
	for _, t := range w.timers {
		if t.kind == exOnce && t.pending() && t.arms[0].latest+int64(explore.Lapsed()) <= exNow() { // who sets the alarm may have been held up
			explore.Fail("the loop sleeps while a timer is due since %d ns", exNow()-t.arms[0].latest)
		}
	}
	tokens := int64(0)
	for _, k := range w.tokens {
		if !k.released {
			tokens++
		}
	}
	if err := inside.ProbeOf(w.loop).Asleep(tokens); err != nil {
		explore.Fail("%v", err)
	}
}

// ended judges a loop that has ended.
func (w *exWorld) ended() {
	if !w.returned {
		explore.Fail("Done is closed, and Run has not returned")
	}
	d := w.loop.Dropped()
	if w.handled != w.thrown {
		explore.Fail("the panic handler was called %d times for %d panics", w.handled, w.thrown)
	}
	lost := [exLanes]int{}
	for lane, jobs := range w.waiting {
		lost[lane] = len(jobs)
	}
	for _, b := range w.bursts {
		lost[exExternal] += b.accepted - b.ran
	}
	got := [exLanes]int{d.External, d.Internal, d.Immediates, d.Ticks, d.Microtasks, 0, 0}
	lost[exMicro] += lost[exAfterward]
	lost[exAfterward], lost[exTimerLane] = 0, 0
	// A task of Do whose caller gave up counts for nothing while it is queued.
	if free := got[exExternal] - lost[exExternal]; free > 0 && free <= w.dos {
		lost[exExternal] += free
	}
	if lost != got {
		explore.Fail("by lane, %v accepted callbacks have not run, and %v are counted as dropped", lost, got)
	}
	if !w.closing && d.Callbacks() > 0 {
		explore.Fail("a graceful end has dropped %+v", d)
	}
	w.endedTimers(d.Timers)
	switch {
	case w.runErr == nil:
	case errors.Is(w.runErr, ErrLoopClosed):
		if !w.closing || !strings.Contains(w.runErr.Error(), fmt.Sprintf(" %d accepted callbacks and %d pending timers", d.Callbacks(), d.Timers)) {
			explore.Fail("Run returns %v, the loop has dropped %+v", w.runErr, d)
		}
	case errors.Is(w.runErr, errExplore) && w.runCtx.Err() != nil:
	case w.runErr == ErrLoopTerminated && w.closing: // closed before Run
	default:
		explore.Fail("Run returns %v", w.runErr)
	}
	if w.auto && w.stopped == 0 {
		w.endedByItself()
	}
	if err := inside.ProbeOf(w.loop).Ended(); err != nil {
		explore.Fail("%v", err)
	}
}

// endedByItself judges an end without a request.
func (w *exWorld) endedByItself() {
	for _, t := range w.timers {
		if t.pending() && !t.unref {
			explore.Fail("the loop has ended by itself with a timer pending that keeps it open")
		}
	}
	for _, k := range w.tokens {
		if !k.released {
			explore.Fail("the loop has ended by itself with a keep-alive token out")
		}
	}
}

// idle reports that, as far as it knows, nothing keeps an auto-exit loop open.
func (w *exWorld) idle() bool {
	for _, t := range w.timers {
		if t.kind != exOnce || len(t.arms) != 1 || t.pending() {
			return false
		}
	}
	for _, k := range w.tokens {
		if !k.released {
			return false
		}
	}
	return true
}
