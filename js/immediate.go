package js

import "github.com/eventloop-go/eventloop"

// An Immediate is a callback for the check phase, made by [Env.NewImmediate]: the class Immediate of Node's timers
// module. Its methods may be called from any goroutine.
type Immediate struct {
	env        *Env
	fn         func()
	id         uint64
	list       *immediateList // nil once it has run or was cleared
	prev, next *Immediate
	unref      bool
}

type immediateList struct{ head, tail *Immediate }

// immediates is the queue for the next check phase, and the one that a check phase is working on.
type immediates struct {
	waiting, running immediateList
	refs             int
	scheduled        bool // the loop will run them
	forced           bool // even if they are all unreferenced
	threw            bool // the callback in progress has not returned, on the loop
	failed           bool // it has told that it threw, on the loop
	inPhase          bool // they are being run
	ids              ids[*Immediate]
}

// NewImmediate arranges for fn to run in the check phase that comes next: setImmediate. What the phase itself adds
// waits for the one after.
//
// Errors: [eventloop.ErrNilCallback], [eventloop.ErrLoopTerminated], [eventloop.ErrZeroLoop].
func (e *Env) NewImmediate(fn func()) (*Immediate, error) {
	m := new(Immediate)
	if err := e.StartImmediate(m, fn); err != nil {
		return nil, err
	}
	return m, nil
}

// StartImmediate is [Env.NewImmediate] for an immediate that is part of an object of the caller's, which saves an
// allocation. It must be new: its zero value, and not in use.
func (e *Env) StartImmediate(m *Immediate, fn func()) error {
	_, err := e.startImmediate(m, fn, false)
	return err
}

func (e *Env) startImmediate(m *Immediate, fn func(), numbered bool) (uint64, error) {
	if fn == nil {
		return 0, eventloop.ErrNilCallback
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.loop.Accepting() {
		return 0, e.refusal()
	}
	m.env, m.fn = e, fn
	q := &e.immediates
	if numbered {
		m.id = q.ids.add(m)
	}
	m.append(&q.waiting)
	q.refs++
	if err := e.scheduleImmediates(); err != nil {
		m.close()
		return 0, err
	}
	return m.id, nil
}

// scheduleImmediates asks the loop for a check phase, if there is something referenced to run in it. Immediates that
// are unreferenced alone do not keep a loop busy, nor open.
func (e *Env) scheduleImmediates() error {
	q := &e.immediates
	if q.scheduled || q.refs == 0 || q.waiting.head == nil {
		return nil
	}
	if err := e.loop.ScheduleImmediate(e.runImmediates); err != nil {
		return err
	}
	q.scheduled = true
	return nil
}

// RunUnreferenced has the next check phase run immediates that are unreferenced. It is for hosts to call when the loop
// runs other callbacks of theirs: such immediates run when the loop happens to come by.
func (e *Env) RunUnreferenced() {
	e.mu.Lock()
	defer e.mu.Unlock()
	q := &e.immediates
	if q.waiting.head == nil {
		return
	}
	if q.forced = true; !q.scheduled {
		q.scheduled = e.loop.ScheduleImmediate(e.runImmediates) == nil
	}
}

// runImmediates is the loop's callback for its check phase.
func (e *Env) runImmediates() {
	e.mu.Lock()
	q := &e.immediates
	idle := q.refs == 0 && e.timerRefs == 0 && !q.forced // unreferenced since, and in Node the loop would have ended
	q.scheduled, q.forced = false, false
	e.checkFirst, e.ahead = false, false
	e.mu.Unlock()
	if !idle {
		e.check()
	}
}

// check runs the immediates that are set by now. What they set waits for the loop's next callback.
func (e *Env) check() {
	e.mu.Lock()
	q := &e.immediates
	if q.running.head == nil { // otherwise RunImmediate has begun with the batch
		e.takeImmediates()
	}
	any := q.running.head != nil
	q.inPhase = any
	e.mu.Unlock()
	defer func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		q.inPhase = false
		_ = e.scheduleImmediates() // it fails on a loop that is ending
	}()
	if any {
		e.host(e.nextImmediate)
	}
}

// takeImmediates makes what waits the batch to run. The lock is held.
func (e *Env) takeImmediates() {
	q := &e.immediates
	q.running, q.waiting = q.waiting, immediateList{}
	for m := q.running.head; m != nil; m = m.next {
		m.list = &q.running
	}
}

// nextImmediate runs one immediate. When the last of a batch throws, Node finds its queue of what is left empty, and
// takes the one for the next phase; so do we.
func (e *Env) nextImmediate() (more bool) {
	e.mu.Lock()
	q := &e.immediates
	m := q.running.head
	if m == nil {
		e.mu.Unlock()
		return false
	}
	fn := m.fn
	m.close()
	q.threw = true // until it returns
	e.mu.Unlock()
	defer func() {
		e.mu.Lock()
		if q.threw && q.running.head == nil {
			e.takeImmediates()
		}
		more = q.running.head != nil
		e.mu.Unlock()
	}()
	q.failed = false
	fn()
	q.threw = q.failed
	return true
}

// CallbackFailed tells that the callback in progress has thrown an exception, which a [Host] has dealt with. Go
// callbacks panic instead. It must be called on the loop.
func (e *Env) CallbackFailed() { e.immediates.failed = true }

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
	m.list, m.prev, m.next, m.fn = nil, nil, nil, nil
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
	_ = e.scheduleImmediates() // it fails on a loop that is ending
}

// HasRef reports whether the immediate is pending and keeps an auto-exit loop open: immediate.hasRef.
func (m *Immediate) HasRef() bool {
	m.env.mu.Lock()
	defer m.env.mu.Unlock()
	return m.list != nil && !m.unref
}
