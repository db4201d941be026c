package workload

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/tournament/internal/stopwatch"
	"github.com/eventloop-go/eventloop/tournament/promises/design"
)

// A PromiseTrial is one run of a promise category with the promises of one design.
type PromiseTrial struct {
	// N is the number of operations to perform.
	N int

	design  design.Design
	clock   clock
	slice   bool // one of many short ones
	metrics map[string]float64

	// Counts of the handlers on the loop.
	ran   int // handlers that ran
	wrong int // handlers that got a wrong value or ran out of order
}

// idle performs the operations as published: on a loop that never runs, so that no handler is ever called.
//
// A loop that never runs keeps its work, so the published figures drift with the number of operations, as the heap
// grows. In this version every lap has a new loop, made outside of the measured time.
func (t *PromiseTrial) idle(lap int, operations func(e design.Engine, n int)) error {
	var total time.Duration
	before := t.retained()
	t.clock.start()
	for left := t.N; left > 0; left -= lap {
		e := t.design.New(eventloop.New())
		began := stopwatch.Now()
		operations(e, min(left, lap))
		total += stopwatch.Since(began)
	}
	t.clock.stop()
	t.report(NsPerOp, float64(total.Nanoseconds())/float64(t.N))
	t.report(HandlersPerOp, float64(t.ran)/float64(t.N))
	return t.checkGrowth(before)
}

// onLoop performs the operations in tasks of a loop, burst of them in each, and drains their consequences before the
// next task. In every operation as many handlers must run as handlers says.
func (t *PromiseTrial) onLoop(burst, handlers int, operation func(e design.Engine)) error {
	ended := make(chan error, 1)
	end := func(err error) {
		select {
		case ended <- err:
		default: // the first counts
		}
	}
	loop := eventloop.New(eventloop.WithPanicHandler(func(p *eventloop.PanicError) { end(p) }))
	e := t.design.New(loop)
	left, attached := t.N, 0
	var step func()
	step = func() {
		// The microtasks of the task before have run.
		if t.ran != attached || t.wrong > 0 {
			end(&HandlerError{Attached: attached, Ran: t.ran, Wrong: t.wrong})
			return
		}
		if left == 0 {
			end(nil)
			return
		}
		n := min(left, burst)
		for range n {
			operation(e)
		}
		left -= n
		attached += n * handlers
		if err := loop.SubmitInternal(step); err != nil {
			end(err)
		}
	}
	before := t.retained()
	stopped := make(chan error, 1)
	go func() { stopped <- loop.Run(context.Background()) }()
	t.clock.start()
	if err := loop.SubmitInternal(step); err != nil {
		return err
	}
	err := <-ended
	t.clock.stop()
	if err == nil {
		t.report(HandlersPerOp, float64(t.ran)/float64(t.N))
		err = t.checkGrowth(before)
		runtime.KeepAlive(e)
	}
	if err != nil {
		_ = loop.Close()
		<-stopped
		return err
	}
	if err := loop.Shutdown(context.Background()); err != nil {
		return err
	}
	return <-stopped
}

// HandlersPerOp is the unit under which a promise category reports how many handlers ran in an operation.
const HandlersPerOp = "handlers/op"

func (t *PromiseTrial) report(unit string, value float64) {
	if t.metrics == nil {
		t.metrics = make(map[string]float64)
	}
	t.metrics[unit] = value
}

// A HandlerError says that handlers did not run as they should.
type HandlerError struct {
	Attached, Ran int
	Wrong         int // those that got another value, or came out of order
}

// Error describes the fault.
func (e *HandlerError) Error() string {
	switch {
	case e.Ran > e.Attached:
		return fmt.Sprintf("%d handlers should have run and %d ran: handlers ran more than once", e.Attached, e.Ran)
	case e.Ran < e.Attached:
		return fmt.Sprintf("%d handlers should have run and %d ran: handlers were lost", e.Attached, e.Ran)
	default:
		return fmt.Sprintf("%d of %d handlers got another value than they should, or came out of order", e.Wrong, e.Ran)
	}
}

// A GrowthError says that a design keeps memory that it should give back.
type GrowthError struct {
	Kept       int64 // bytes
	Operations int
}

// Error says how much is kept.
func (e *GrowthError) Error() string {
	return fmt.Sprintf("%d bytes are kept after %d operations: memory grows with the number of operations", e.Kept, e.Operations)
}

// keepLimit is how much memory may be kept after a trial: pools and the like, which do not depend on the number of
// operations.
const keepLimit = 4 << 20

// checkGrowth fails if much more memory is in use than before.
func (t *PromiseTrial) checkGrowth(before int64) error {
	if kept := t.retained() - before; kept > keepLimit {
		return &GrowthError{Kept: kept, Operations: t.N}
	}
	return nil
}

// retained returns the bytes in use after a garbage collection; in a slice, which is too short for one, nothing.
func (t *PromiseTrial) retained() int64 {
	if t.slice {
		return 0
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
