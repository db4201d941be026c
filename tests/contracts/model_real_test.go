package contracts_test

import (
	"errors"
	"runtime"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// real is the world of a real loop, inside a bubble of virtual time.
type real struct {
	l     *eventloop.Loop
	start time.Time
}

func (r *real) now() int64    { return int64(time.Since(r.start)) }
func (r *real) spend(d int64) { time.Sleep(time.Duration(d)) }

func (r *real) leave(goexit bool) {
	if goexit {
		runtime.Goexit()
	}
	panic("part of the program")
}

func (r *real) submit(kind opKind, fn func()) error {
	switch kind {
	case opInternal:
		return r.l.SubmitInternal(fn)
	case opImmediate:
		return r.l.ScheduleImmediate(fn)
	case opTick:
		return r.l.NextTick(fn)
	case opMicro:
		return r.l.ScheduleMicrotask(fn)
	case opOwnerMicro:
		adapter.Of(r.l).Enqueue(jobFunc(fn))
		return nil
	case opAfterward:
		adapter.Of(r.l).Afterward(jobFunc(fn))
		return nil
	default:
		return r.l.Submit(fn)
	}
}

func (r *real) timer(owner bool, delay int64, repeats bool, missed eventloop.MissedTicks, fn func()) (any, error) {
	switch d := time.Duration(delay); {
	case repeats:
		h := r.l.NewTicker(missed, fn)
		return h, h.Reset(d)
	case owner:
		return adapter.Of(r.l).ScheduleTimer(d, fn)
	default:
		return r.l.ScheduleTimer(d, fn)
	}
}

func (r *real) stopTimer(h any, forGood bool) bool {
	if forGood {
		return r.l.CancelTimer(h.(eventloop.Timer))
	}
	return h.(eventloop.Timer).Stop()
}

func (r *real) reset(h any, delay int64) error {
	return h.(eventloop.Timer).Reset(time.Duration(delay))
}

func (r *real) ref(h any, ref bool) {
	if ref {
		h.(eventloop.Timer).Ref()
	} else {
		h.(eventloop.Timer).Unref()
	}
}

func (r *real) keep() (any, error) { return r.l.KeepAlive() }
func (r *real) release(token any)  { token.(func())() }
func (r *real) shutdown()          { _ = r.l.Shutdown(testkit.Ended()) }
func (r *real) close() error       { return r.l.Close() }

func (r *real) reported(d *driver) eventloop.Option {
	return eventloop.WithPanicHandler(func(e *eventloop.PanicError) { d.reported(errors.Is(e, eventloop.ErrGoexit)) })
}

var _ world = (*real)(nil)
