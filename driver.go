package eventloop

import (
	"time"

	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/onstack"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// A driver is the mechanism of adapter.Driver.
//
// Protocol. A driven loop sleeps between the calls: sleeping is set under the ingress lock, as for a loop in Run. The
// goroutine that clears it calls unpark: this puts a token into ready, and another into token for a waiting RunOnce.
// Both channels may keep a stale token, so a token only means: check again. The caller that has set busy owns the
// loop, and clears sleeping itself. After it has cleared busy, it puts a token into ready if the loop is awake. Work
// came up meanwhile, and a caller that took its token may have been refused.
type driver struct {
	loop *Loop
	busy sched.Bool // a call is in progress
	step func()     // runStep, made once

	// Fields of the call in progress.
	wait     time.Duration
	more     bool
	over     bool
	finished bool // runStep has returned, not ended by Goexit
}

// Drive is adapter.Drive.
func (v view) Drive() (inside.Driver, error) {
	d, err := v.drive()
	if err != nil {
		return nil, err
	}
	return d, nil
}

func (l *Loop) drive() (*driver, error) {
	if err := l.start(); err != nil {
		return nil, err
	}
	l.owner.Store(0)
	l.driven = true
	l.core.Coroutines.Open()
	d := &driver{loop: l}
	d.step = d.runStep
	in := &l.in
	in.mu.lock()
	l.ready = make(chan struct{}, 1) // before the loop first sleeps, so before anybody reads it
	in.mu.unlock()
	sched.TrySend(l.ready)
	return d, nil
}

// Ready is adapter.Driver.Ready.
func (d *driver) Ready() <-chan struct{} { return d.loop.ready }

// RunReady is adapter.Driver.RunReady.
func (d *driver) RunReady() (more bool, err error) { return d.run(0) }

// RunOnce is adapter.Driver.RunOnce.
func (d *driver) RunOnce(wait time.Duration) (more bool, err error) { return d.run(wait) }

// Alive is adapter.Driver.Alive.
func (d *driver) Alive() bool {
	l := d.loop
	l.in.mu.lock()
	defer l.in.mu.unlock()
	return l.in.state != stateTerminated && (!l.autoExit || l.live.Load() > 0 || l.in.pending&^pendingNotice != 0 || !l.in.sleeping)
}

// Close is adapter.Driver.Close.
func (d *driver) Close() error {
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

// run runs a turn. If there is nothing to run, it waits for that first, for wait at most.
func (d *driver) run(wait time.Duration) (more bool, err error) {
	if !d.busy.CompareAndSwap(false, true) {
		return false, ErrLoopRunning
	}
	l := d.loop
	defer d.release()
	select {
	case <-l.done:
		return false, ErrLoopTerminated
	default:
	}
	if err := l.enterCoroutines(); err != nil {
		d.finished = true // nothing has begun
		return false, err
	}
	d.wait, d.more, d.over, d.finished = wait, false, false, false
	l.owner.Store(uint64(l.mark))
	l.mark.Call(d.step)
	if d.over {
		if l.runErr == nil {
			return false, ErrLoopTerminated
		}
		return false, l.runErr
	}
	return d.more, nil
}

// enterCoroutines refuses a goroutine that cannot switch to the coroutines of the loop. Close gives these up.
func (l *Loop) enterCoroutines() error {
	if l.core.Attention.Load()&inside.AttendClose != 0 {
		return nil
	}
	if mistake := l.core.Coroutines.Enter(); mistake != "" {
		return inside.Mistake(mistake)
	}
	return nil
}

// release gives the loop back for the next call.
func (d *driver) release() {
	l := d.loop
	if !d.finished {
		l.mark = onstack.New() // the old one stays on the goroutine's stack until that has ended
	}
	l.owner.Store(0)
	d.busy.Store(false)
	l.in.mu.lock()
	asleep := l.in.sleeping
	l.in.mu.unlock()
	if !asleep {
		sched.TrySend(l.ready)
	}
}

// runStep is the part of run that has the loop's identity.
func (d *driver) runStep() {
	l := d.loop
	defer func() {
		if d.finished {
			return
		}
		if v := recover(); v != nil {
			panic(v) // a fault of the loop
		}
		// Goexit ends the caller's goroutine, which is not the loop's alone.
		l.reportPanic(failure(nil))
	}()
	l.resume()
	switch v := d.awaitWork(); {
	case v == ended || !l.turn():
		d.over = true
	default:
		v = l.check(true)
		d.more, d.over = v == runnable, v == ended
		if v == idle {
			l.trim()
		}
	}
	if d.over {
		l.finish()
	}
	d.finished = true
}

// resume takes a driven loop over again after a sleep, whether or not anybody has woken it.
func (l *Loop) resume() {
	l.in.mu.lock()
	l.in.sleeping = false
	l.in.mu.unlock()
	if l.parked {
		l.awake()
	}
	l.take()
	if m := l.meter; m != nil && m.Exited() {
		m.ExitedAt(l.jobs, l.now())
	}
}

// awaitWork waits until there is something to run, or the time is over. A token can be out of date: then the loop is idle
// once more.
func (d *driver) awaitWork() verdict {
	l := d.loop
	if d.wait <= 0 {
		return runnable
	}
	if v := l.check(true); v != idle {
		return v
	}
	expired := make(chan struct{})
	t := sched.AfterFunc(d.wait, func() { sched.Close(expired) })
	defer t.Stop()
	for {
		over := sched.WaitAny(l.token, expired, nil) == 1
		l.resume()
		if over {
			return idle
		}
		if v := l.check(true); v != idle {
			return v
		}
	}
}
