package js

import (
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/internal/inside"
)

// An Immediate is a callback for the check phase, made by [Env.NewImmediate]: the class Immediate of Node's timers
// module. Its methods may be called from any goroutine.
type Immediate struct {
	env        *Env
	job        adapter.Job
	id         uint64
	list       *immediateList // nil once it has run or was cleared
	prev, next *Immediate
	unref      bool
}

type immediateList struct{ head, tail *Immediate }

func (l *immediateList) empty() bool { return l.head == nil }

// immediates is the queue for the next check phase, and the batch that a check phase is working on.
type immediates struct {
	waiting, running immediateList
	refs             int
	phase            func() // of the loop's check phase: runImmediates
	hosted           bool   // the host runs the check phase of the loop
	request          checkRequest
	failed           bool   // the callback in progress threw; on the loop
	ran              uint64 // on the loop
	ids              ids[*Immediate]
}

// A checkRequest is the state of our request to the loop.
type checkRequest uint8

const (
	notRequested        checkRequest = iota
	requested                        // a check phase, if something referenced is pending then
	requestedInAnyEvent              // even if all is unreferenced
)

// NewImmediate arranges for fn to run in the check phase that comes next: setImmediate. Immediates added in that
// phase wait for the one after.
//
// Errors: [eventloop.ErrInvalid], [eventloop.ErrLoopTerminated].
func (e *Env) NewImmediate(fn func()) (*Immediate, error) {
	m := new(Immediate)
	if _, err := e.startImmediate(m, callback(fn), false); err != nil {
		return nil, err
	}
	return m, nil
}

// A callback is a function as a job.
type callback func()

func (fn callback) Run() { fn() }

func (e *Env) startImmediate(m *Immediate, job adapter.Job, numbered bool) (uint64, error) {
	if fn, ok := job.(callback); ok && fn == nil || job == nil {
		return 0, inside.ErrNilCallback
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.hooks.Accepting() {
		return 0, e.refusal()
	}
	q := &e.immediates
	if q.request == notRequested {
		if err := e.request(requested); err != nil {
			return 0, err
		}
	}
	m.env, m.job = e, job
	if numbered {
		m.id = q.ids.add(m)
	}
	m.append(&q.waiting)
	q.refs++
	return m.id, nil
}

// requestCheck asks the loop for a check phase, if a referenced immediate waits. Unreferenced immediates alone do not
// keep a loop busy or open. The caller holds the lock.
func (e *Env) requestCheck() error {
	q := &e.immediates
	if q.request != notRequested || q.refs == 0 || q.waiting.empty() && q.running.empty() {
		return nil
	}
	return e.request(requested)
}

// request asks the loop for a check phase. While the loop drains it takes no immediates, but ours were accepted before.
// The lock is held.
func (e *Env) request(r checkRequest) error {
	err := e.loop.ScheduleImmediate(e.immediates.phase)
	if err != nil && e.loop.SubmitInternal(e.immediates.phase) != nil {
		return err
	}
	e.immediates.request = r
	return nil
}

// runImmediates is the loop's callback for its check phase.
func (e *Env) runImmediates() {
	e.mu.Lock()
	q := &e.immediates
	idle := q.refs == 0 && e.timerRefs == 0 && q.request != requestedInAnyEvent // unreferenced since, and in Node the loop would have ended
	q.request = notRequested
	e.node.at = elsewhere
	e.mu.Unlock()
	if !idle {
		e.check()
	}
}

// check runs the immediates that are set by now. Immediates that they set wait for the loop's next callback.
func (e *Env) check() {
	e.mu.Lock()
	e.beginCheck()
	any := !e.immediates.running.empty()
	e.immediates.hosted = true
	e.mu.Unlock()
	defer func() { // also when a callback ends the goroutine: the rest of the batch waits for the next check phase
		e.mu.Lock()
		defer e.mu.Unlock()
		e.immediates.hosted = false
		e.node.endCheck()
		_ = e.requestCheck() // it fails on a loop that has ended
	}()
	if any && !e.hooks.Closing() {
		e.host(e.nextImmediate)
	}
}

// beginCheck begins a check phase, or goes on with one that was left in the middle of its batch. The lock is held.
func (e *Env) beginCheck() {
	e.node.beginCheck()
	if e.immediates.running.empty() {
		e.takeImmediates()
	}
}

// takeImmediates makes the waiting immediates the batch to run. The caller holds the lock.
func (e *Env) takeImmediates() {
	q := &e.immediates
	q.running, q.waiting = q.waiting, immediateList{}
	for m := q.running.head; m != nil; m = m.next {
		m.list = &q.running
	}
}

// nextImmediate runs one immediate. When the last of a batch throws, Node finds its queue of remaining immediates
// empty, and takes the queue for the next phase; so do we.
func (e *Env) nextImmediate() (more bool) {
	e.mu.Lock()
	q := &e.immediates
	m := q.running.head
	if m == nil || e.hooks.Closing() {
		e.mu.Unlock()
		return false
	}
	job := m.job
	m.close()
	q.ran++
	e.mu.Unlock()
	returned := false
	defer func() {
		e.mu.Lock()
		if !returned && q.running.empty() {
			e.takeImmediates()
		}
		more = !q.running.empty()
		e.mu.Unlock()
	}()
	q.failed = false
	job.Run()
	returned = !q.failed
	return true
}

func (m *Immediate) append(l *immediateList) {
	m.list, m.prev = l, l.tail
	if l.tail != nil {
		l.tail.next = m
	} else {
		l.head = m
	}
	l.tail = m
}

// Close keeps the callback from running; it may be called any number of times: clearImmediate.
func (m *Immediate) Close() {
	m.env.mu.Lock()
	defer m.env.mu.Unlock()
	m.close()
}

func (m *Immediate) close() {
	l := m.list
	if l == nil {
		return
	}
	if m.prev != nil {
		m.prev.next = m.next
	} else {
		l.head = m.next
	}
	if m.next != nil {
		m.next.prev = m.prev
	} else {
		l.tail = m.prev
	}
	m.list, m.prev, m.next, m.job = nil, nil, nil, nil
	if !m.unref {
		m.env.immediates.refs--
	}
	if m.id != 0 {
		m.env.immediates.ids.remove(m.id)
	}
}

// Ref makes the immediate keep an auto-exit loop open, as it does when it is new: immediate.ref.
func (m *Immediate) Ref() { m.setUnref(false) }

// Unref lets an auto-exit loop end without running the immediate: immediate.unref.
func (m *Immediate) Unref() { m.setUnref(true) }

func (m *Immediate) setUnref(unref bool) {
	e := m.env
	e.mu.Lock()
	defer e.mu.Unlock()
	if m.list == nil || m.unref == unref {
		return
	}
	m.unref = unref
	if unref {
		e.immediates.refs--
		return
	}
	e.immediates.refs++
	_ = e.requestCheck() // it fails on a loop that has ended: the immediate waits for Env.Move
}

// HasRef reports whether the immediate is pending and keeps an auto-exit loop open: immediate.hasRef.
func (m *Immediate) HasRef() bool {
	m.env.mu.Lock()
	defer m.env.mu.Unlock()
	return m.list != nil && !m.unref
}
