package js_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/js"
)

// real is the world of an environment on a real loop, in virtual time.
type real struct {
	*js.Env
	start time.Time
}

func (r *real) now() int64    { return int64(time.Since(r.start)) }
func (r *real) spend(d int64) { time.Sleep(time.Duration(d)) }

func (r *real) timer(fn func(), ms float64, repeat bool) (any, error) {
	if repeat {
		return r.NewInterval(fn, ms)
	}
	return r.NewTimeout(fn, ms)
}

func (r *real) immediate(fn func()) (any, error) { return r.NewImmediate(fn) }

func (r *real) job(tick bool, fn func()) {
	if tick {
		_ = r.NextTick(fn)
	} else {
		_ = r.QueueMicrotask(fn)
	}
}

func (r *real) closeTimer(h any)     { h.(*js.Timeout).Close() }
func (r *real) closeImmediate(h any) { h.(*js.Immediate).Close() }
func (r *real) refresh(h any) error  { return h.(*js.Timeout).Refresh() }
func (r *real) active() int          { return r.Active() }
func (r *real) closeEnv()            { r.Env.Close() }
func (r *real) closeLoop()           { _ = r.Loop().Close() }
func (r *real) shutdown()            { _ = r.Loop().Shutdown(ended()) }

func (r *real) refTimer(h any, ref bool) {
	if ref {
		h.(*js.Timeout).Ref()
	} else {
		h.(*js.Timeout).Unref()
	}
}

func (r *real) refImmediate(h any, ref bool) {
	if ref {
		h.(*js.Immediate).Ref()
	} else {
		h.(*js.Immediate).Unref()
	}
}

// leave ends a callback badly.
func leave(goexit bool, w world) {
	if m, ok := w.(*model); ok {
		m.leave(goexit)
	}
	if goexit {
		runtime.Goexit()
	}
	panic("part of the program")
}

// perform runs a program on real loops. The work left by the first runs on a second, until that is closed.
func perform(t *testing.T, p program) (d *driver) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d = &driver{inside: p.inside}
		r := &real{start: time.Now()}
		loop := func(auto bool) *eventloop.Loop {
			opts := []eventloop.Option{eventloop.WithPanicHandler(func(e *eventloop.PanicError) {
				d.reported(errors.Is(e, eventloop.ErrGoexit))
			})}
			if auto {
				opts = append(opts, eventloop.WithAutoExit())
			}
			return eventloop.New(opts...)
		}
		first := loop(p.autoExit)
		var opts []js.Option
		if p.web {
			opts = append(opts, js.WithWebDelays())
		}
		r.Env = js.New(first, opts...)
		d.w = r
		if err := first.Submit(func() {
			for _, o := range p.main {
				d.perform(o, false)
			}
		}); err != nil {
			t.Fatal(err)
		}
		run := func(l *eventloop.Loop) { go func() { _ = l.Run(context.Background()) }() }
		run(first)
		synctest.Wait()
		for _, e := range p.outside {
			time.Sleep(time.Duration(e.at - r.now()))
			d.perform(e.op, true)
			synctest.Wait() // until the loop is parked, or busy until a later time
		}
		time.Sleep(time.Duration(p.end() - r.now()))
		_ = first.Close()
		<-first.Done()
		d.note("%d move at %d", r.Active(), r.now())
		second := loop(false)
		r.Hooks().Move(second)
		run(second)
		time.Sleep(20*millisecond + 1)
		_ = second.Close()
		<-second.Done()
		r.Env.Close()
		d.note("%d are left", r.Active())
	})
	return d
}

var _ world = (*real)(nil)
