// Package turn runs callbacks of the event loop as Node does: each with the ticks, promise jobs and rejections that come
// before the next. It is Node's processTicksAndRejections around an engine whose promise jobs run when it is left.
package turn

import (
	"runtime/debug"
	"time"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
	"github.com/eventloop-go/eventloop/gojaloop/internal/node/rejections"
	"github.com/eventloop-go/eventloop/js"
)

// A Host is the environment of a turn: an engine, and the runtime around it. T is the engine's form of a call that
// nextTick defers.
type Host[T any] interface {
	engine.Engine // whose Enter calls [Turn.Entered]
	// RunTick makes the call of a tick, and handles its exceptions. It reports whether the function returned.
	RunTick(T) bool
	// ReportRejections reports the rejections in Turn.Rejections.
	ReportRejections()
	// Panicked makes an error of a panic, or of Goexit if value is nil. Abandon handles that error, or one of Enter.
	Panicked(value any, stack []byte) error
	Abandon(error)
	// Settle is called after each callback.
	Settle()
}

// Stats counts the work that has run.
type Stats struct {
	Callbacks uint64
	Ticks     uint64
	Busy      time.Duration
	Longest   time.Duration
}

// A Turn belongs to the loop's goroutine. T is the T of Host, and P the engine's key for a promise.
type Turn[T any, P comparable] struct {
	Stopped bool // no more of the script runs
	Threw   bool // a callback has ended with an exception since this was last cleared
	Main    bool // the main script is running
	Stats   Stats

	Rejections rejections.List[P]

	host   Host[T]
	env    *js.Env
	body   func()      // the function that the entry runs
	inside bool        // a callback is in progress
	phase  func() bool // runs the next callback of the phase in progress, if there is one, and reports that
	ticks  queue[T]
	origin time.Time     // of the clock that measures callbacks
	began  time.Duration // of the callback in progress, since origin
}

// Init makes it ready.
func (t *Turn[T, P]) Init(host Host[T], env *js.Env) {
	t.host, t.env, t.origin = host, env, time.Now()
}

// Inside reports whether a callback is in progress.
func (t *Turn[T, P]) Inside() bool { return t.inside }

// NextTick queues a call.
func (t *Turn[T, P]) NextTick(call T) { t.ticks.push(call) }

// Drop forgets ticks and rejections that wait.
func (t *Turn[T, P]) Drop() {
	t.ticks, t.Rejections = queue[T]{}, rejections.List[P]{}
}

// Waiting reports whether ticks or rejections wait for the callback's end.
func (t *Turn[T, P]) Waiting() bool { return !t.ticks.empty() || t.Rejections.Waiting() }

// Quiet reports whether the callback in progress has left nothing to run before the next.
func (t *Turn[T, P]) Quiet() bool { return !t.Waiting() && !t.host.JobsWaiting() }

// Enter runs body as a callback of the event loop, and everything that Node runs before the next: ticks, promise jobs
// and rejections, until nothing is left. It is called on the loop. Inside a callback it just runs body.
func (t *Turn[T, P]) Enter(body func()) {
	if t.inside {
		body()
		return
	}
	if t.Stopped {
		return
	}
	t.body = body
	t.began = time.Since(t.origin)
	for {
		if err := t.cycle(); err != nil {
			t.abandon(err)
			break
		}
		if t.Stopped || !t.Waiting() {
			break
		}
	}
	t.lap()
	t.host.Settle()
}

// lap counts the callback that is over. The next may begin at once.
func (t *Turn[T, P]) lap() {
	now := time.Since(t.origin)
	took := now - t.began
	t.began = now
	t.Stats.Callbacks++
	t.Stats.Busy += took
	t.Stats.Longest = max(t.Stats.Longest, took)
}

// Busy is how long callbacks have taken by now, with the one in progress.
func (t *Turn[T, P]) Busy() time.Duration {
	busy := t.Stats.Busy
	if t.inside {
		busy += time.Since(t.origin) - t.began
	}
	return busy
}

// cycle enters the engine once.
func (t *Turn[T, P]) cycle() (err error) {
	t.inside = true
	finished := false
	defer func() {
		t.inside = false
		if finished {
			return
		}
		v := recover()
		err = t.host.Panicked(v, debug.Stack())
		if v == nil { // a Go function has ended the goroutine: nothing behind this runs any more
			t.abandon(err)
			t.host.Settle()
		}
	}()
	err = t.host.Enter()
	finished = true
	return err
}

func (t *Turn[T, P]) abandon(err error) {
	t.host.Abandon(err)
	t.body = nil
}

// Entered runs inside a frame of the engine: no promise jobs run during it, and all run after it.
func (t *Turn[T, P]) Entered() {
	if body := t.body; body != nil {
		t.body = nil
		body()
	} else if t.ticks.empty() {
		t.host.ReportRejections()
	}
	t.drainTicks()
}

// Call calls functions as callbacks in progress, however they end, without a frame of the engine. Promise jobs of
// each script that a function runs have run when that returns. next calls one, and reports whether there is another.
// Ticks and rejections come after each function. After a function without them the next follows at once, and Stats
// counts both as one callback. No callback may be in progress.
func (t *Turn[T, P]) Call(next func() (more bool)) {
	for more := true; more && !t.Stopped; {
		t.began = time.Since(t.origin)
		more = t.callInside(next)
		t.lap()
		if !t.Stopped && t.Waiting() {
			t.Enter(func() {})
		} else {
			t.host.Settle()
		}
	}
}

// callInside calls functions until other work must run.
func (t *Turn[T, P]) callInside(next func() (more bool)) (more bool) {
	t.inside = true
	defer func() { t.inside = false }()
	for next() {
		if t.Stopped || t.Waiting() {
			return true
		}
	}
	return false
}

// RunPhase runs the timers or the immediates that are due. After a callback or a tick that threw, the next callback
// runs without ticks and promise jobs in between, as in Node, where the exception skips them. The same holds after a
// callback that has left nothing to run in between, because leaving and entering the engine again would be half the
// work. For the same reason it goes on to the next check phase if the loop has nothing to run before that.
func (t *Turn[T, P]) RunPhase(next func() bool) {
	more := true
	step := func() (ran bool) {
		for more && !t.Stopped {
			t.Threw, ran = false, true
			if more = next(); t.Threw {
				continue
			}
			if !t.Quiet() || !more && !t.env.Hooks().NextCheck() {
				break
			}
			more = true
			t.lap()
		}
		return ran
	}
	body := func() { step() }
	for more && !t.Stopped {
		t.phase = step
		t.Enter(body)
	}
	t.phase = nil
}
