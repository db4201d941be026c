package eventloop

import (
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/queue"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// The bits of Loop.attention: why the owner must look into the ingress before it runs the next callback.
const (
	attendJobs   uint32 = 1 << iota // nextTick callbacks or microtasks wait in the ingress
	attendClose                     // Close was called
	attendStop                      // a shutdown has begun: the owner refuses timers
	attendTimers                    // timers wait in the ingress; the owner adopts them before it adds its own

	attendNow = attendJobs | attendClose // what cannot wait for the next turn
)

// A Job is a microtask that needs no closure of its own: a pointer to what it works on, with a Run method.
type Job interface{ Run() }

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
// Errors: [ErrLoopTerminated], [ErrNilCallback], [ErrZeroLoop].
func (l *Loop) ScheduleMicrotask(fn func()) error {
	if fn == nil {
		return ErrNilCallback
	}
	return l.enqueue(&l.in.micros, jobFunc(fn))
}

// EnqueueJob is [Loop.ScheduleMicrotask] for a [Job]: a caller that has an object for the microtask anyway, such as a
// promise reaction, allocates nothing more.
func (l *Loop) EnqueueJob(job Job) error {
	if job == nil {
		return ErrNilCallback
	}
	return l.enqueue(&l.in.micros, job)
}

// enqueue appends a job to one of the two queues of the ingress.
func (l *Loop) enqueue(jobs *[]Job, job Job) error {
	in := &l.in
	in.mu.lock()
	if !in.draining() {
		err := in.refusal()
		in.mu.unlock()
		return err
	}
	*jobs = append(*jobs, job)
	if len(*jobs) == 1 {
		l.attention.Or(attendJobs)
	}
	asleep := in.rouse(pendingJobs)
	in.mu.unlock()
	if asleep {
		sched.Send(l.wake)
	}
	return nil
}

// NextTick queues fn to run as soon as the callback in progress has returned, before any microtask: Node's
// process.nextTick. Otherwise it is as [Loop.ScheduleMicrotask].
func (l *Loop) NextTick(fn func()) error {
	if fn == nil {
		return ErrNilCallback
	}
	return l.enqueue(&l.in.ticks, jobFunc(fn))
}

// takeJobs moves ticks and microtasks from the ingress to the owner's queues. The lock is held.
func (l *Loop) takeJobs() {
	if l.attention.Load()&attendJobs == 0 {
		return
	}
	moveJobs(&l.ticks, &l.in.ticks)
	moveJobs(&l.micros, &l.in.micros)
	l.attention.And(^attendJobs)
}

func moveJobs(to *queue.FIFO[Job], from *[]Job) {
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
	if l.attention.Load()&attendJobs != 0 {
		l.in.mu.lock()
		l.takeJobs()
		l.in.mu.unlock()
	}
}

// jobsWaiting reports whether a checkpoint has anything to do. It is asked after every callback.
func (l *Loop) jobsWaiting() bool {
	return l.ticks.Len()|l.micros.Len()|l.afterward.Len() != 0 || l.attention.Load()&attendNow != 0
}

// checkpoint drains the nextTick queue, then the microtask queue, until both are empty. It reports false if the loop
// was closed meanwhile.
//
// Its state is in the loop, so that a panic inside loses only the job that panicked: the next call goes on where that
// left, with microtasks if it was among them.
func (l *Loop) checkpoint() bool {
	for {
		switch {
		case l.attention.Load()&attendNow != 0 && !l.look():
			return false
		case l.ticks.Len() > 0 && (!l.inMicros || l.micros.Len() == 0):
			l.inMicros = false
			for l.ticks.Len() > 0 {
				l.jobs++
				l.ticks.Pop().Run()
				if l.attention.Load()&attendNow != 0 && !l.look() {
					return false
				}
			}
		case l.micros.Len() > 0:
			// Ticks that a microtask schedules wait until the microtasks are done, as in Node.
			l.inMicros = true
			if !l.runMicrotasks() {
				return false
			}
		case l.afterward.Len() > 0:
			l.inMicros = false
			l.jobs++
			l.afterward.Pop().Run()
		default:
			l.inMicros = false
			return true
		}
	}
}

// runMicrotasks runs microtasks until there are none, or one that is an [inside.Failer] has failed. It reports false if
// the loop was closed meanwhile.
func (l *Loop) runMicrotasks() (open bool) {
	var job Job // in progress
	defer func() {
		if f, ok := job.(inside.Failer); ok {
			f.JobFailed(failure(recover()))
			open = true
		}
	}()
	for l.micros.Len() > 0 {
		l.jobs++
		job = l.micros.Pop()
		job.Run()
		job = nil
		if l.attention.Load()&attendNow != 0 && !l.look() {
			return false
		}
	}
	l.inMicros = false
	return true
}

// look does what the attention word asks for; it reports false if the loop was closed.
func (l *Loop) look() bool {
	l.fetchJobs()
	return l.attention.Load()&attendClose == 0 // behind the lock: Close may have come while this waited for it
}
