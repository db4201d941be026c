package eventloop

import (
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/meter"
	"github.com/eventloop-go/eventloop/internal/queue"
)

// attendNow are the bits of the attention word that cannot wait for the next turn.
const attendNow = inside.AttendJobs | inside.AttendClose

// jobFunc makes a Job of a func value, without allocating.
type jobFunc func()

func (f jobFunc) Run() { f() }

// ScheduleMicrotask queues fn to run as soon as the callback in progress has returned and the nextTick queue is
// empty, in the order of scheduling: ECMA-262's HostEnqueuePromiseJob. With no callback in progress it wakes the
// loop. It is accepted until the loop has ended, also while a graceful shutdown drains.
//
// Microtasks may schedule microtasks; all run before anything else does, so an endless chain starves the loop, as it
// does in JavaScript. Safe for any goroutine.
//
// Errors: [ErrLoopTerminated], [ErrInvalid].
func (l *Loop) ScheduleMicrotask(fn func()) error {
	if fn == nil {
		return inside.ErrNilCallback
	}
	return l.enqueue(&l.in.micros, jobFunc(fn))
}

// enqueue appends a job to one of the two queues of the ingress.
func (l *Loop) enqueue(jobs *[]inside.Job, job inside.Job) error {
	in := &l.in
	in.mu.lock()
	if !in.draining() {
		err := in.refusal()
		in.mu.unlock()
		l.meter.Count(meter.Refused)
		return err
	}
	*jobs = append(*jobs, job)
	if len(*jobs) == 1 {
		l.core.Attention.Or(inside.AttendJobs)
	}
	asleep := in.arrive(pendingJobs)
	in.mu.unlock()
	if asleep {
		l.unpark()
	}
	return nil
}

// NextTick queues fn to run as soon as the callback in progress has returned, before any microtask: Node's
// process.nextTick. Otherwise it is as [Loop.ScheduleMicrotask].
func (l *Loop) NextTick(fn func()) error {
	if fn == nil {
		return inside.ErrNilCallback
	}
	return l.enqueue(&l.in.ticks, jobFunc(fn))
}

// takeJobs moves ticks and microtasks from the ingress to the owner's queues. The lock is held.
func (l *Loop) takeJobs() {
	if l.core.Attention.Load()&inside.AttendJobs == 0 {
		return
	}
	moveJobs(&l.ticks, &l.in.ticks)
	moveJobs(&l.core.Micros, &l.in.micros)
	l.core.Attention.And(^inside.AttendJobs)
}

func moveJobs(to *queue.FIFO[inside.Job], from *[]inside.Job) {
	for _, job := range *from {
		to.Push(job)
	}
	clear(*from)
	*from = (*from)[:0]
	if cap(*from) > queue.Keep {
		*from = nil
	}
}

// fetchJobs moves jobs over if there are any in the ingress. The owner calls it before it puts a job of its own behind
// those that were scheduled earlier.
func (l *Loop) fetchJobs() {
	if l.core.Attention.Load()&inside.AttendJobs != 0 {
		l.in.mu.lock()
		l.takeJobs()
		l.in.mu.unlock()
	}
}

// jobsWaiting reports whether a checkpoint has anything to do. It is asked after every callback.
func (l *Loop) jobsWaiting() bool {
	return l.ticks.Len()|l.core.Micros.Len()|l.core.Afterward.Len() != 0 || l.core.Attention.Load()&attendNow != 0
}

// checkpoint drains the nextTick queue, then the microtask queue, until both are empty. It reports false if the loop
// was closed meanwhile.
//
// Its state is in the loop, so that a panic inside loses only the failed job. The next call continues after the
// failed job, in the microtask queue if that was a microtask.
func (l *Loop) checkpoint() bool {
	for {
		switch {
		case l.core.Attention.Load()&attendNow != 0 && !l.attend():
			return false
		case l.ticks.Len() > 0 && (!l.inMicros || l.core.Micros.Len() == 0):
			l.inMicros = false
			for l.ticks.Len() > 0 {
				l.jobs++
				l.ticks.Pop().Run()
				if l.core.Attention.Load()&attendNow != 0 && !l.attend() {
					return false
				}
			}
		case l.core.Micros.Len() > 0:
			// Ticks that a microtask schedules wait until the microtasks are done, as in Node.
			l.inMicros = true
			if !l.runMicrotasks() {
				return false
			}
		case l.core.Afterward.Len() > 0:
			l.inMicros = false
			l.jobs++
			l.core.Afterward.Pop().Run()
		default:
			l.inMicros = false
			return true
		}
	}
}

// runMicrotasks runs microtasks until the queue is empty, or until an [inside.Failer] has failed. It reports false if
// the loop was closed meanwhile.
func (l *Loop) runMicrotasks() (open bool) {
	var job inside.Job // in progress
	defer func() {
		if f, ok := job.(inside.Failer); ok {
			f.JobFailed(failure(recover()))
			open = true
		}
	}()
	for l.core.Micros.Len() > 0 {
		l.jobs++
		job = l.core.Micros.Pop()
		job.Run()
		job = nil
		if l.core.Attention.Load()&attendNow != 0 && !l.attend() {
			return false
		}
	}
	l.inMicros = false
	return true
}

// attend handles the requests in the attention word; it reports false if the loop was closed.
func (l *Loop) attend() bool {
	l.fetchJobs()
	return l.core.Attention.Load()&inside.AttendClose == 0 // behind the lock: Close may have come while this waited for it
}
