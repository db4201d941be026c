package loopsim

import (
	"errors"

	"github.com/eventloop-go/eventloop/internal/coroutine"
)

// errBlocks is returned by calls that wait, where nothing may.
var errBlocks = errors.New("loopsim: this call waits, which a callback of the loop must not: call it in a function of promise.Promisify")

// A crash is what unwinds the blocking calls of a host that has crashed.
type crash struct{ host string }

func (c crash) Error() string { return "loopsim: " + c.host + " has crashed" }

// A task is a blocking call: a function of promise.Promisify. It is a coroutine of the goroutine that has the world. That goroutine resumes
// it when the wait is over.
type task struct {
	co   coroutine.Coroutine
	h    *Host
	work func()
	over bool
	wait int // counts the waits, so that a wake-up for an earlier one is known
}

// startTask begins a blocking call, after a time.
func (h *Host) startTask(work func()) {
	t := &task{h: h, work: work}
	m := h.machine
	h.w.at(max(h.local()+m.sched.around(h.w.cfg.Blocking), m.pausedTo), func() {
		if h.dead {
			return
		}
		h.w.note(kindTask, m.id, h.w.now, 0, 0)
		h.w.record(entry{at: h.w.now, kind: kindTask, host: m.id, peer: -1}, "begins")
		h.switchTo(t, func() { t.co.Start(&h.tasks, t) })
	})
}

// switchTo runs a task until it waits or ends.
func (h *Host) switchTo(t *task, step func()) {
	before := h.w.current
	h.w.current = t
	step()
	h.w.current = before
	h.touch()
}

// Main is the task's function.
func (t *task) Main() {
	t.h.w.mark.Call(t.work)
	t.over = true
}

// Unwind ends a task of a host that has crashed.
func (t *task) Unwind() { t.h.switchTo(t, t.co.Resume) }

// park waits until wake is called with the number of this wait. It does not return in a host that has crashed.
func (t *task) park() {
	if !t.h.dead {
		t.co.Suspend()
	}
	t.wait++
	if t.h.dead {
		panic(crash{t.h.machine.name})
	}
}

// resume goes on with a task that waits, if it still does so for the same thing.
func (t *task) resume(wait int) {
	h := t.h
	if t.over || t.wait != wait || h.dead {
		return
	}
	if paused := h.machine.pausedTo; h.w.now < paused {
		h.w.at(paused, func() { t.resume(wait) })
		return
	}
	h.switchTo(t, t.co.Resume)
}

// sleep lets time pass.
func (t *task) sleep(d int64) {
	wait := t.wait
	t.h.w.at(t.h.w.now+d, func() { t.resume(wait) })
	t.park()
}

// blocking returns the blocking call in progress, if it is one of h.
func (h *Host) blocking() (*task, error) {
	if t := h.w.current; t != nil && t.h == h {
		return t, nil
	}
	return nil, errBlocks
}
