//go:build explore

package explored

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	. "github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/internal/explore"
)

// The ops of programs around a driven loop, by their places in drvKinds.
const (
	drvSubmit = iota
	drvInternal
	drvImmediate
	drvTimer
	drvCancel
	drvDrive
	drvSleep
	drvPanic
	drvShutdown
	drvClose
)

var drvKinds = []explore.OpKind{
	drvSubmit:    {Name: "submit", Weight: 10, Callback: true},
	drvInternal:  {Name: "internal", Weight: 4, Callback: true},
	drvImmediate: {Name: "immediate", Weight: 4, Callback: true},
	drvTimer:     {Name: "timer", Weight: 6, Callback: true},
	drvCancel:    {Name: "cancel", Weight: 2},
	drvDrive:     {Name: "drive", Weight: 4},
	drvSleep:     {Name: "sleep", Weight: 3, Inside: -1},
	drvPanic:     {Name: "panic", Weight: 1, Inside: 1},
	drvShutdown:  {Name: "shutdown", Weight: 1},
	drvClose:     {Name: "close", Weight: 1},
}

// The bits of the options.
const (
	drvOnce uint = 1 << iota // the main loop calls RunOnce; otherwise it waits for Ready and calls RunReady
	drvAuto
	drvMeter
	drvOptions = 3
)

// A drvJob is a callback that the loop has accepted, or a timer.
type drvJob struct {
	lane     int   // the op
	earliest int64 // when a timer is due: the clock before the call, and after it
	latest   int64
	accepted bool // the call has returned nil
	ran      bool
	cancel   bool // a call that cancels it has begun
}

// exCancelled is a context that has ended.
var exCancelled = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// A drvWorld is the judge of a run.
type drvWorld struct {
	l       *Loop
	d       *adapter.Driver
	auto    bool
	callers []int // goroutines in a call of the driver
	depth   int   // callbacks in progress
	jobs    []*drvJob
	timers  [3]struct {
		handle Timer
		job    *drvJob
	}
	actors  int
	stopped bool // a call that ends the loop has begun
	closed  bool // and it was Close
	told    bool // a call of the driver has returned how the loop ended
	over    bool // the main loop has ended
}

// TestExploreDriver has a foreign main loop drive ours, while others submit, set timers, drive it too, and end it.
func TestExploreDriver(t *testing.T) {
	explore.Family{Name: t.Name(), Options: drvOptions, Actors: 3, Ops: 6, Kinds: drvKinds, Run: drvProgram}.Explore(t)
}

func drvProgram(p explore.Program) {
	opts := []Option{nil, nil, WithPanicHandler(func(e *PanicError) {
		if e.Value != errExplore {
			explore.Fail("the panic handler is called with %v\n%s", e.Value, e.Stack)
		}
	})}
	if p.Options&drvAuto != 0 {
		opts[0] = WithAutoExit()
	}
	if p.Options&drvMeter != 0 {
		opts[1] = inspect.WithMetrics()
	}
	w := &drvWorld{l: New(opts...), auto: p.Options&drvAuto != 0, actors: len(p.Actors)}
	var err error
	if w.d, err = adapter.Drive(w.l); err != nil {
		explore.Fail("Drive returns %v", err)
	}
	explore.GoNamed("main loop", func() {
		w.main(p.Options&drvOnce != 0)
		w.over = true
	})
	for _, ops := range p.Actors {
		explore.GoNamed("actor", func() {
			w.perform(ops)
			w.actors--
		})
	}
	explore.Until("actors", func() bool { return w.actors == 0 })
	explore.Sleep(10 * time.Millisecond)
	explore.Quiet()
	w.quiet()
	w.stopped = true
	if err := w.l.Shutdown(context.Background()); err != nil {
		explore.Fail("Shutdown returns %v", err)
	}
	explore.Quiet()
	if !w.over {
		explore.Fail("the main loop is not told that the loop has ended")
	}
	if err := w.d.Close(); err != nil {
		explore.Fail("Close of the driver returns %v after the end", err)
	}
	for _, j := range w.jobs {
		if j.accepted && !j.ran && !w.closed && j.lane != drvTimer && j.lane != drvImmediate {
			explore.Fail("an accepted %s has not run", drvKinds[j.lane].Name)
		}
	}
}

// main is the foreign main loop.
func (w *drvWorld) main(once bool) {
	for {
		if !once {
			explore.Receive(w.d.Ready())
		}
		if err := w.drive(once); err != nil && err != ErrLoopRunning {
			return
		} else if err == ErrLoopRunning && once {
			explore.Sleep(time.Microsecond) // another goroutine drives
		}
	}
}

// drive calls the driver, and judges its result.
func (w *drvWorld) drive(once bool) (err error) {
	self := explore.Self()
	nested := slices.Contains(w.callers, self)
	ended := w.told
	w.callers = append(w.callers, self)
	if once {
		_, err = w.d.RunOnce(time.Hour)
	} else {
		_, err = w.d.RunReady()
	}
	i := slices.Index(w.callers, self)
	w.callers = slices.Delete(w.callers, i, i+1)
	switch {
	case nested && err != ErrLoopRunning:
		explore.Fail("the driver returns %v inside a callback", err)
	case err == nil && ended:
		explore.Fail("the driver runs a loop that has ended")
	case err == nil, err == ErrLoopRunning: // whoever was in a call may have left it meanwhile
	case !w.stopped:
		explore.Fail("the driver returns %v, and nobody has ended the loop", err)
	case err == ErrLoopTerminated:
		w.told = true
	case errors.Is(err, ErrLoopClosed) && w.closed:
		w.told = true
	default:
		explore.Fail("the driver returns %v", err)
	}
	return err
}

// quiet judges a moment at which all goroutines are blocked: all accepted work has run.
func (w *drvWorld) quiet() {
	if w.stopped {
		return
	}
	for _, j := range w.jobs {
		if j.accepted && !j.ran && !j.cancel && (j.lane != drvTimer || j.latest+int64(explore.Lapsed()) <= exNow()) {
			explore.Fail("nobody drives the loop while a %s waits", drvKinds[j.lane].Name)
		}
	}
	if w.auto && w.d.Alive() && !slices.ContainsFunc(w.jobs, func(j *drvJob) bool { return !j.ran && !j.cancel }) {
		explore.Fail("the loop is alive with nothing left")
	}
}

func (w *drvWorld) perform(ops []explore.Op) {
	for _, op := range ops {
		w.one(op)
	}
}

func (w *drvWorld) one(op explore.Op) {
	slot := &w.timers[int(op.A)%len(w.timers)]
	switch op.Code {
	case drvSubmit:
		w.hand(op, w.l.Submit)
	case drvInternal:
		w.hand(op, w.l.SubmitInternal)
	case drvImmediate:
		w.hand(op, w.l.ScheduleImmediate)
	case drvTimer:
		delay := time.Duration(max(exDelays[op.B], 0))
		w.hand(op, func(fn func()) error {
			j := w.jobs[len(w.jobs)-1]
			j.earliest = exNow() + int64(delay)
			t, err := w.l.ScheduleTimer(delay, fn)
			if j.latest = exNow() + int64(delay); err == nil {
				slot.handle, slot.job = t, j
			}
			return err
		})
	case drvCancel:
		if slot.job != nil {
			slot.job.cancel = true
			slot.handle.Stop()
		}
	case drvDrive:
		_ = w.drive(false)
	case drvSleep:
		explore.Sleep(time.Duration(max(exDelays[op.B], 0)))
	case drvPanic:
		panic(errExplore)
	case drvShutdown:
		w.stopped = true
		_ = w.l.Shutdown(exCancelled) // only begins it
	case drvClose:
		w.stopped, w.closed = true, true
		_ = w.l.Close()
	}
}

// hand asks the loop for a callback.
func (w *drvWorld) hand(op explore.Op, call func(fn func()) error) {
	j := &drvJob{lane: int(op.Code)}
	w.jobs = append(w.jobs, j)
	err := call(func() { w.callback(j, op.Sub) })
	switch {
	case err == nil:
		j.accepted = true
	case err != ErrLoopTerminated || !w.stopped:
		explore.Fail("a %s is refused with %v", drvKinds[op.Code].Name, err)
	case j.ran:
		explore.Fail("a refused %s has run", drvKinds[op.Code].Name)
	}
}

// callback judges that a callback may run.
func (w *drvWorld) callback(j *drvJob, sub []explore.Op) {
	switch {
	case !slices.Contains(w.callers, explore.Self()):
		explore.Fail("a callback runs on a goroutine that does not drive the loop")
	case w.depth > 0:
		explore.Fail("a callback runs while another does")
	case j.ran:
		explore.Fail("a %s runs twice", drvKinds[j.lane].Name)
	case j.lane == drvTimer && exNow() < j.earliest:
		explore.Fail("a timer fires early")
	}
	w.depth++
	j.ran = true
	defer func() { w.depth-- }()
	w.perform(sub)
}
