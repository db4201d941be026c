package load

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/eventloop-go/eventloop/internal/cpuusage"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

// lap is the number of tasks that a schedule is made for at a time. A longer trial has several laps. Between them all
// submitted tasks have run, so that memory does not depend on the number of tasks.
const lap = 1 << 16

// A slot is one task. The producer writes due and late before it submits the task; the task writes the rest. The
// producer reads that when the trial's count says that the task has run.
type slot struct {
	due, late  int64 // nanoseconds, due from the beginning of the lap
	start, end int64
	fired      int64 // how late the timer of the task was
	runs       int
	sum        uint64
	task       func()
}

// A driver has a trial's slots, which its laps reuse.
type driver struct {
	spec   Spec
	trial  *workload.Trial
	steps  int // of work in a task
	shared bool
	sleeps bool // the generator, until the next arrival

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
		sleeps: s.Computing != result.Idle,
		shared: s.Submitters()+1 > min(runtime.GOMAXPROCS(0), runtime.NumCPU()),
	}
}

// since is the time since the lap began.
func (d *driver) since() int64 { return d.now() - d.began }

// A lapOutcome is the result of a lap beside its slots.
type lapOutcome struct {
	n         int
	elapsed   time.Duration // from the beginning until all has run
	behind    time.Duration // from the last intended start until all has run
	processor time.Duration // of the process, less the producers' waiting
}

// perform submits the first n slots at the ascending times in due, and returns when all consequences have run.
//
// Window, if not 0, bounds the tasks that were submitted and have not run. The lap then measures how many tasks the
// loop can run, and not how long they wait.
func (d *driver) perform(n, window int) (out lapOutcome, err error) {
	d.prepare(n)
	t := d.trial
	before := t.Ran.Load()
	producers := min(d.spec.Submitters(), n)
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
		if d.sleeps {
			time.Sleep(100 * time.Microsecond)
			continue
		}
		w.look(d.since())
	}
	end := time.Duration(d.since())
	if d.sleeps { // this goroutine has waited for a processor; the loop was done before
		end = 0
		for i := range d.slots[:n] {
			end = max(end, time.Duration(d.slots[i].end))
		}
	}
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

// reserve makes room for n tasks. The functions of slots point at them, so all slots are replaced if they are too
// few.
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

// prepare clears the previous lap's data in the first n slots.
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
		for d.sleeps && now < s.due && !t.Abandoned() {
			time.Sleep(time.Duration(s.due - now))
			now = d.since()
		}
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

// A waiting adds up the time that a goroutine has spent reading the clock. If the time between two readings is longer
// than a reading can take, the processor was busy with other work.
type waiting struct {
	yields bool // yields the processor, because there are not enough for all
	last   int64
	total  time.Duration
}

const longestLook = int64(5 * time.Microsecond)

// look records the time of a check.
func (w *waiting) look(now int64) {
	if gap := now - w.last; w.last > 0 && gap < longestLook {
		w.total += time.Duration(gap)
	}
	w.last = now
	if w.yields {
		runtime.Gosched()
	}
}

// verify returns an error unless every task did its work, once.
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
