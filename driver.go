package eventloop

import (
	"time"

	"github.com/eventloop-go/eventloop/internal/onstack"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// A Driver runs a loop turn by turn, for a program that has a main loop of its own: a game, a user interface, another
// event loop. Make one with [Loop.Drive].
//
//	for {
//		select {
//		case <-driver.Ready():
//			if _, err := driver.RunReady(); err != nil {
//				return err
//			}
//		case event := <-events:
//			handle(event)
//		}
//	}
//
// The loop is owned by the goroutine that calls, for as long as the call takes. Calls may come from different goroutines, one
// after the other. A driven loop does not end when nothing is left to do, with [WithAutoExit] neither; it ends with
// [Loop.Shutdown] or [Loop.Close], during the calls that follow, and with [Driver.Close].
type Driver struct {
	loop  *Loop
	ready chan struct{} // there is something to run; capacity 1
	busy  sched.Bool    // a call is in progress
	once  func()        // runs a turn, and notes in ended whether that was the last; for the caller that has busy
	ended bool
	owed  int // wake-ups that others have begun, until the loop last began a turn; the owner's, and forward's at the end

	// A call was refused meanwhile, whose caller may have taken what Ready has delivered. Either the call in progress finds
	// this set after it has taken busy back, or who has set it finds busy taken back.
	refused sched.Bool
}

// Drive makes the loop one that is driven, instead of [Loop.Run]. It costs a goroutine, which ends with the loop.
//
// Errors: [ErrLoopRunning], [ErrLoopTerminated], [ErrZeroLoop].
func (l *Loop) Drive() (*Driver, error) {
	if err := l.start(); err != nil {
		return nil, err
	}
	l.owner.Store(0)
	l.driven = true
	l.core.Coroutines.Open()
	d := &Driver{loop: l, ready: make(chan struct{}, 1)}
	d.once = func() { d.ended = !l.turn() }
	d.signal()
	sched.Go(d.forward)
	return d, nil
}

// forward hands the wake-ups of the loop on. Whoever wakes a loop owes one token, and somebody has to take it, whether or
// not the program listens. The loop may go on, and even end, before the token has come.
func (d *Driver) forward() {
	taken := 0
	for ; sched.WaitAny(d.loop.wake, d.loop.done, nil) == 0; taken++ {
		d.signal()
	}
	d.signal()
	for ; taken < d.owed; taken++ {
		sched.Receive(d.loop.wake)
	}
}

// signal puts a token into ready, if there is none.
func (d *Driver) signal() {
	select {
	case d.ready <- struct{}{}:
	default:
	}
}

// Ready returns a channel that delivers when there may be something to run: call RunReady then. It stands for libuv's
// backend descriptor and time-out. It may deliver for nothing.
func (d *Driver) Ready() <-chan struct{} { return d.ready }

// RunReady runs one turn, without waiting: libuv's UV_RUN_NOWAIT. More reports that something is left that can run at once;
// Ready delivers then, too.
//
// When the loop has ended, it returns what [Loop.Run] would have returned, or [ErrLoopTerminated] for nil and in all calls
// after that. It returns [ErrLoopRunning] inside a callback, and while another goroutine's call is in progress; Ready delivers
// when that call is over.
func (d *Driver) RunReady() (more bool, err error) { return d.run(-1) }

// RunOnce runs one turn. If nothing is ready, it waits until something is, for wait at most: libuv's UV_RUN_ONCE. Otherwise it
// is as RunReady.
func (d *Driver) RunOnce(wait time.Duration) (more bool, err error) { return d.run(max(wait, 0)) }

// Alive reports whether a loop with [WithAutoExit] would go on: something is queued, or a timer, a descriptor or a token
// keeps it open. It may be called between the other calls. Without that option it is always true.
func (d *Driver) Alive() bool {
	l := d.loop
	l.in.mu.lock()
	defer l.in.mu.unlock()
	return l.in.state != stateTerminated && (!l.autoExit || l.live.Load() > 0 || l.in.pending&^pendingNotice != 0 || !l.in.sleeping)
}

// Close ends the loop as [Loop.Shutdown] does: it runs what was accepted, on the calling goroutine. The error is that of
// RunReady, but nil if the loop has ended without one.
func (d *Driver) Close() error {
	_ = d.loop.beginShutdown(nil)
	for {
		_, err := d.run(longWait)
		switch {
		case err == ErrLoopTerminated:
			return nil
		case err != nil:
			return err
		}
	}
}

// longWait is a wait that something else ends.
const longWait = time.Hour

// run runs a turn; it waits for something to run if wait is not negative.
func (d *Driver) run(wait time.Duration) (more bool, err error) {
	if !d.busy.CompareAndSwap(false, true) {
		d.refused.Store(true)
		if !d.busy.Load() {
			d.repeat()
		}
		return false, ErrLoopRunning
	}
	defer func() {
		d.busy.Store(false)
		d.repeat()
	}()
	l := d.loop
	select {
	case <-l.done:
		return false, ErrLoopTerminated
	default:
	}
	returned := false
	defer func() { // Goexit ends the caller's goroutine, which is not the loop's alone
		if returned {
			return
		}
		if v := recover(); v != nil {
			panic(v)
		}
		l.owner.Store(0)
		l.mark = onstack.New() // the old one stays on the goroutine's stack until that has ended
		d.signal()
		l.reportPanic(failure(nil))
	}()
	more, err = d.turn(wait)
	returned = true
	return more, err
}

// repeat has Ready deliver again if a call was refused.
func (d *Driver) repeat() {
	if d.refused.Load() && d.refused.Swap(false) {
		d.signal()
	}
}

func (d *Driver) turn(wait time.Duration) (more bool, err error) {
	l := d.loop
	ended := false
	if wait >= 0 {
		if more, ended = d.look(); !more && !ended {
			d.wait(wait)
		}
	}
	if !ended {
		d.begin()
		l.owner.Store(uint64(l.mark))
		l.mark.Call(d.once)
		ended = d.ended
		if !ended {
			more, ended = d.look()
		}
		if !ended {
			l.owner.Store(0)
		}
	}
	if ended {
		l.finish()
		if l.runErr == nil {
			return false, ErrLoopTerminated
		}
		return false, l.runErr
	}
	if more {
		d.signal()
	}
	return more, nil
}

// begin wakes the loop, unless somebody has.
func (d *Driver) begin() {
	l := d.loop
	l.in.mu.lock()
	if l.slept && !l.in.sleeping {
		d.owed++
	}
	l.in.sleeping = false
	if l.meter != nil && l.slept {
		l.meter.Wake(l.now())
	}
	l.in.mu.unlock()
	if l.observed != nil && l.slept {
		l.observed.slept(LoopWakes)
	}
	l.slept = false
	if m := l.meter; m != nil && m.Exited() {
		m.ExitedAt(l.jobs, l.now())
	}
	l.take()
}

// look has the loop go to sleep if there is nothing to run.
func (d *Driver) look() (more, ended bool) {
	d.begin()
	if !d.loop.poll() {
		return false, true
	}
	return !d.loop.slept, false
}

// wait waits for the loop to be woken.
func (d *Driver) wait(wait time.Duration) {
	if wait == 0 {
		return
	}
	expired := make(chan struct{})
	t := sched.AfterFunc(wait, func() { sched.Close(expired) })
	defer t.Stop()
	sched.WaitAny(d.ready, expired, nil)
}
