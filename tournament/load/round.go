package load

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/eventloop-go/eventloop/internal/cpuusage"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

// lap is the number of tasks that a schedule is made for at a time. A trial of more has several laps, between which all
// that was submitted has run, so that memory does not depend on the number of tasks.
const lap = 1 << 16

// A slot is one task. The producer writes due and late before it submits the task, the task the rest; the producer reads
// that when the trial's count says that the task has run.
type slot struct {
	due, late  int64 // nanoseconds, due from the beginning of the lap
	start, end int64
	fired      int64 // how late the timer of the task was
	runs       int
	sum        uint64
	task       func()
}

// A driver is what a trial has for its laps: slots that are used again and again.
type driver struct {
	spec   Spec
	trial  *workload.Trial
	steps  int // of work in a task
	shared bool

	now func() int64 // the clock, in nanoseconds

	slots []slot
	due   []int64
	began int64 // of the lap
	fault atomic.Pointer[error]
	heap  heapWatch
}

func newDriver(s Spec, t *workload.Trial, now func() int64) *driver {
	return &driver{
		spec:   s,
		trial:  t,
		now:    now,
		steps:  stepsIn(s.Cost),
		shared: s.producers()+1 > min(runtime.GOMAXPROCS(0), runtime.NumCPU()),
	}
}

// since is the time since the lap began.
func (d *driver) since() int64 { return d.now() - d.began }

// A lapOutcome is what a lap says beside what stands in the slots.
type lapOutcome struct {
	n         int
	elapsed   time.Duration // from the beginning until all has run
	behind    time.Duration // from the last intended start until all has run
	processor time.Duration // of the process, less what the producers waited
}

// perform submits the first n slots as due says, which ascends, and returns when all that they lead to has run.
//
// Window bounds the tasks that were submitted and have not run, if it is not 0: then the lap says how many tasks the loop
// can run, and not how long they wait.
func (d *driver) perform(n, window int) (out lapOutcome, err error) {
	d.prepare(n)
	t := d.trial
	before := t.Ran.Load()
	producers := min(d.spec.producers(), n)
	waits, errs := make([]time.Duration, producers), make([]error, producers)
	used := cpuusage.Total()
	d.began = d.now()
	if producers == 1 {
		waits[0], errs[0] = d.produce(0, 1, window, before)
	} else {
		done := make(chan struct{})
		for p := range producers {
			go func() {
				defer func() { done <- struct{}{} }()
				waits[p], errs[p] = d.produce(p, producers, window, before)
			}()
		}
		for range producers {
			<-done
		}
	}
	if err := errors.Join(errs...); err != nil {
		return out, err
	}
	accepted := n + d.timers(n)
	t.Submitted(accepted)
	w := waiting{yields: true}
	for t.Ran.Load() < before+int64(accepted) && !t.Abandoned() {
		w.look(d.since())
	}
	end := time.Duration(d.since())
	out = lapOutcome{n: n, elapsed: end, behind: end - time.Duration(d.due[n-1]), processor: cpuusage.Total() - used}
	if !d.shared {
		for _, waited := range append(waits, w.total) {
			out.processor -= waited
		}
	}
	if t.Abandoned() {
		return out, errors.New("given up")
	}
	return out, d.verify(n)
}

// reserve makes room for n tasks. The functions of slots point at them, so slots that are too few are all made anew.
func (d *driver) reserve(n int) {
	if n > len(d.slots) {
		d.slots = make([]slot, n)
		d.due = make([]int64, n)
		for i := range d.slots {
			d.slots[i].task = d.task(i, &d.slots[i])
		}
	}
	d.due = d.due[:n]
}

// prepare clears what the lap before has left in the first n slots.
func (d *driver) prepare(n int) {
	for i := range d.slots[:n] {
		s := &d.slots[i]
		*s = slot{due: d.due[i], task: s.task}
	}
}

// produce submits every step-th slot from first on, each when it is due. It returns how long it waited for that.
func (d *driver) produce(first, step, window int, before int64) (waited time.Duration, err error) {
	t, loop := d.trial, d.trial.Loop
	w := waiting{yields: d.shared}
	watch := first == 0
	count := len(d.due)
	for i := first; i < count; i += step {
		if window > 0 && i%(64*step) == first {
			for int64(i)-(t.Ran.Load()-before) > int64(window) && !t.Abandoned() {
				w.look(d.since())
			}
		}
		s := &d.slots[i]
		now := d.since()
		if now < s.due {
			w.last = now
			for now < s.due {
				if watch && s.due-now > heapSlack {
					d.heap.look(now)
				}
				now = d.since()
				w.look(now)
				if t.Abandoned() {
					return w.total, errors.New("given up")
				}
			}
		}
		if watch {
			d.heap.lookIfLong(now)
		}
		s.late = now - s.due
		if err := loop.Submit(s.task); err != nil {
			return w.total, fmt.Errorf("submit task %d: %w", i, err)
		}
		w.last = 0
	}
	return w.total, nil
}

// A waiting adds up the time that a goroutine has spent in looking at the clock. Time between two looks that is longer
// than a look can take was somebody else's.
type waiting struct {
	yields bool // lets others have the processor, for there are not enough for all
	last   int64
	total  time.Duration
}

const longestLook = int64(5 * time.Microsecond)

// look is told the time of a look.
func (w *waiting) look(now int64) {
	if gap := now - w.last; w.last > 0 && gap < longestLook {
		w.total += time.Duration(gap)
	}
	w.last = now
	if w.yields {
		runtime.Gosched()
	}
}

// verify says whether every task did what it should, once.
func (d *driver) verify(n int) error {
	if fault := d.fault.Load(); fault != nil {
		return *fault
	}
	for i := range d.slots[:n] {
		if s := &d.slots[i]; s.runs != 1 || s.end < s.start {
			return fmt.Errorf("task %d ran %d times: tasks were lost or ran more than once", i, s.runs)
		}
	}
	return nil
}
