//go:build explore

package explored

import (
	"context"
	"errors"
	"runtime"
	"time"

	. "github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/internal/explore"
)

var exDelays = [...]int64{0, 1e6, 2e6, 1e6, 0, 1, 3e6, -1}

// exFunc makes a job of a function.
type exFunc func()

func (f exFunc) Run() { f() }

// perform does ops, on any goroutine.
func (w *exWorld) perform(ops []explore.Op) {
	for i := range ops {
		w.performOne(&ops[i])
	}
}

func (w *exWorld) performOne(op *explore.Op) {
	l := w.loop
	body := func() { w.perform(op.Sub) }
	slot := int(op.A) % len(w.slots)
	t := w.slots[slot]
	inside := w.onLoop() // a program that was shrunk may have ops of callbacks outside
	switch op.Code {
	case exSubmit:
		w.hand(exExternal, body, l.Submit)
	case exSubmitInternal:
		w.hand(exInternal, body, l.SubmitInternal)
	case exScheduleImmediate:
		w.hand(exImmediate, body, l.ScheduleImmediate)
	case exNextTick:
		w.hand(exTick, body, l.NextTick)
	case exMicrotask:
		w.hand(exMicro, body, l.ScheduleMicrotask)
	case exOwnerEnqueue:
		if inside {
			w.hand(exMicro, body, func(fn func()) error { adapter.Of(l).Enqueue(exFunc(fn)); return nil })
		}
	case exOwnerAfterward:
		if inside {
			w.hand(exAfterward, body, func(fn func()) error { adapter.Of(l).Afterward(exFunc(fn)); return nil })
		}
	case exTimer0, exOwnerTimer:
		w.schedule(slot, inside && op.Code == exOwnerTimer, exOnce, exDelays[op.B], func(*exTimer) { body() })
	case exRepeat:
		w.schedule(slot, false, MissedTicks(op.B%3), 1e6*int64(1+op.B/4), func(t *exTimer) {
			if t.fires >= 3 && t.known {
				t.cancel(false)
			}
			body()
		})
	case exStop, exCancel:
		if t != nil {
			t.cancel(op.Code == exCancel)
		}
	case exCancelSelf:
		if w.firing != nil && w.firing.known {
			w.firing.cancel(true)
		}
	case exReset:
		if t != nil {
			t.reset(max(exDelays[op.B], 0))
		}
	case exRef:
		if t != nil {
			t.h.Ref()
		}
	case exUnref:
		if t != nil {
			t.unref = true
			t.h.Unref()
		}
	case exKeepAlive:
		w.keep(int(op.A) % len(w.keeps))
	case exRelease:
		if k := w.keeps[int(op.A)%len(w.keeps)]; k != nil && !k.released {
			k.released = true
			k.release()
		}
	case exDo:
		w.do(op)
	case exMetrics:
		w.metrics()
	case exSleep:
		explore.Sleep(time.Duration(exDelays[op.B]))
	case exSpend:
		if inside {
			explore.Pass(time.Duration(max(exDelays[op.B], 0)))
		}
	case exPanic:
		if inside {
			w.thrown++
			panic(errExplore)
		}
	case exGoexit:
		if inside {
			w.thrown++
			w.exited = true
			w.cut = w.within && !w.lane.macro()
			runtime.Goexit()
		}
	case exCancelContext:
		explore.Point("cancel")
		if op.A%2 == 0 {
			w.cancel(errExplore)
		} else {
			w.stop()
			w.cancelRun(errExplore)
		}
	case exShutdown:
		w.shutdown(op.A)
	case exClose:
		w.close()
	case exBurst:
		w.burst()
	case exUnarmed:
		w.unarmed(slot, op.B, body)
	case exNested:
		if inside {
			w.nested(body)
		}
	}
}

// nested runs a callback inside the one in progress, as adapters do: a checkpoint follows it. It does nothing inside
// a microtask or a callback of a checkpoint.
func (w *exWorld) nested(body func()) {
	if !w.lane.macro() || w.depth != 1 || w.shut {
		return
	}
	lane, within := w.lane, w.within
	defer func() { w.lane, w.depth, w.within = lane, 1, within }() // also if it calls Goexit
	w.depth, w.within = 0, true
	w.shut = !adapter.Of(w.loop).Callback(func() {
		w.begin(lane)
		defer w.end(lane)
		body()
	})
}

// burst submits many tasks, which run in their order.
func (w *exWorld) burst() {
	const tasks = 1100
	b := &exTasks{}
	w.bursts = append(w.bursts, b)
	w.doCalls += tasks
	for i := range tasks {
		b.accepted++
		if err := w.loop.Submit(func() {
			if b.ran != i || !w.onLoop() || w.depth > 0 {
				explore.Fail("task %d of a burst runs after %d others, on the loop: %t, in other callbacks: %d", i, b.ran, w.onLoop(), w.depth)
			}
			b.ran++
		}); err != nil {
			b.accepted--
			w.mayRefuse(err, exExternal)
			return
		}
	}
}

func (w *exWorld) keep(slot int) {
	release, err := w.loop.KeepAlive()
	if err != nil {
		w.mayRefuse(err, exTimerLane)
		return
	}
	token := &exKeep{release: release}
	w.tokens = append(w.tokens, token)
	w.keeps[slot] = token
}

// do calls Do with a context that never ends, has ended, or may end.
func (w *exWorld) do(op *explore.Op) {
	ctx := context.Background()
	switch {
	case op.A == 0:
		gone, cancel := context.WithCancelCause(ctx)
		cancel(errExplore)
		ctx = gone
	case op.A < 4:
		ctx = w.ctx
	}
	inside, gone := w.onLoop(), ctx.Err() != nil
	begun, ended, after := 0, false, false
	w.doCalls++ // inside too: it is in the lane until Do finds out where it is
	if !inside {
		w.dos++
	}
	err := w.loop.Do(ctx, func() {
		if begun++; !inside {
			w.dos--
		}
		if !w.onLoop() || after {
			explore.Fail("Do runs its function on the loop: %t, after it has returned: %t", w.onLoop(), after)
		}
		if !inside {
			w.begin(exExternal)
			defer w.end(exExternal)
		}
		w.perform(onlyCalls(op.Sub))
		ended = true
	})
	after = begun == 0
	switch {
	case gone && (!errors.Is(err, errExplore) || begun > 0):
		explore.Fail("Do with a context that has ended returns %v and has run its function %d times", err, begun)
	case err == nil && (begun != 1 || !ended):
		explore.Fail("Do returns nil, and its function has begun %d times, and ended: %t", begun, ended)
	case err == nil, errors.Is(err, errExplore) && ctx.Err() != nil:
	case err == ErrLoopTerminated && begun == 0:
		if !inside {
			w.mayRefuse(err, exExternal)
		}
	default:
		explore.Fail("Do returns %v; its function has begun %d times, and ended: %t", err, begun, ended)
	}
}

// onlyCalls leaves out operations that end a callback: Do has rules of its own for that.
func onlyCalls(ops []explore.Op) []explore.Op {
	var calls []explore.Op
	for _, op := range ops {
		if op.Code != exPanic && op.Code != exGoexit && op.Code != exDo && op.Code != exNested {
			calls = append(calls, op)
		}
	}
	return calls
}

// metrics judges that the callbacks that ran and those queued add up to those accepted.
func (w *exWorld) metrics() {
	if !w.meter {
		return
	}
	sure := w.accepted(true)
	m := inspect.ReadMetrics(w.loop)
	got := 0
	for _, n := range []inspect.Lanes{m.Ran, m.Queued} {
		got += int(n.External + n.Internal + n.Immediates)
	}
	if w.stopped == 0 &&
		!w.returned && (got < sure || got > w.accepted(false)+w.doCalls) {
		explore.Fail("metrics: %d callbacks have run or are queued, and %d to %d were accepted", got, sure, w.accepted(false))
	}
}

// accepted counts callbacks of the three lanes that were accepted for sure, or also those that may have been.
func (w *exWorld) accepted(sure bool) int {
	n := 0
	for _, j := range w.jobs {
		if j.lane <= exImmediate && !j.refused && (!sure || j.end > 0) {
			n++
		}
	}
	return n
}

func (w *exWorld) shutdown(how uint8) {
	w.stop()
	ctx := context.Background()
	if how < 3 {
		gone, cancel := context.WithCancelCause(ctx)
		cancel(errExplore)
		ctx = gone
	}
	inside := w.onLoop()
	err := w.loop.Shutdown(ctx)
	switch {
	case err == nil:
		select {
		case <-w.loop.Done():
		default:
			explore.Fail("Shutdown returns nil before the loop has ended")
		}
	case errors.Is(err, errExplore) && ctx.Err() != nil:
	case errors.Is(err, ErrOnLoop) && inside:
	default:
		explore.Fail("Shutdown returns %v", err)
	}
}

func (w *exWorld) close() {
	w.stop()
	was := w.closing
	w.closing = true
	switch err := w.loop.Close(); {
	case err == nil:
		if w.closed == 0 {
			w.closed, w.closedOps = w.stamp(), explore.Ops(w.owner)
		}
	case err == ErrLoopTerminated:
		w.closing = was || w.closing
	default:
		explore.Fail("Close returns %v", err)
	}
}
