package promise_test

import (
	"errors"

	"github.com/eventloop-go/eventloop/promise"
)

// model is the naive reference.
type model struct {
	ticks, micros []func()
	rejected      []*modelPromise // to look at when the checkpoint ends
	reports       []string
}

type modelPromise struct {
	w         *model
	settled   bool
	resolved  bool // the outcome is decided
	root      bool
	v         any
	err       error
	handled   bool
	reactions []func()
}

func (w *model) fresh() *modelPromise { return &modelPromise{w: w} }

func (w *model) create() handle {
	p := w.fresh()
	p.root = true
	return p
}

func (p *modelPromise) settle(v any, err error) {
	p.settled, p.resolved, p.v, p.err = true, true, v, err
	if err != nil && !p.handled {
		p.w.rejected = append(p.w.rejected, p)
	}
	p.w.micros = append(p.w.micros, p.reactions...)
	p.reactions = nil
}

func (p *modelPromise) on(fn func()) {
	if p.settled {
		p.w.micros = append(p.w.micros, fn)
	} else {
		p.reactions = append(p.reactions, fn)
	}
	p.handled = true
}

func (w *model) resolve(h handle, v int) {
	if p := h.(*modelPromise); p.root && !p.resolved {
		p.settle(v, nil)
	}
}

func (w *model) reject(h handle, err error) {
	if p := h.(*modelPromise); p.root && !p.resolved {
		p.settle(nil, err)
	}
}

func (w *model) follow(h, q handle) {
	if p := h.(*modelPromise); p.root && !p.resolved {
		p.adopt(q.(*modelPromise))
	}
}

func (p *modelPromise) adopt(q *modelPromise) {
	p.resolved = true
	if p == q {
		p.settle(nil, promise.ErrSelfResolution)
		return
	}
	p.w.micros = append(p.w.micros, func() {
		q.on(func() { p.settle(q.v, q.err) })
	})
}

// derive attaches fn to h; an errPanic that it panics with becomes its error.
func (w *model) derive(h handle, fn func(p, child *modelPromise)) handle {
	p, child := h.(*modelPromise), w.fresh()
	p.on(func() {
		defer func() {
			if v := recover(); v != nil {
				child.settle(nil, v.(error))
			}
		}()
		fn(p, child)
	})
	return child
}

func (w *model) then(h handle, fn func(int) (int, error)) handle {
	return w.derive(h, func(p, child *modelPromise) {
		if p.err != nil {
			child.settle(nil, p.err)
			return
		}
		v, err := fn(p.v.(int))
		child.settle(v, err)
	})
}

func (w *model) catch(h handle, fn func(error) (int, error)) handle {
	return w.derive(h, func(p, child *modelPromise) {
		if p.err == nil {
			child.settle(p.v, nil)
			return
		}
		v, err := fn(p.err)
		child.settle(v, err)
	})
}

func (w *model) finally(h handle, fn func()) handle {
	return w.derive(h, func(p, child *modelPromise) {
		fn()
		child.settle(p.v, p.err)
	})
}

func (w *model) thenPromise(h handle, fn func(int) handle) handle {
	return w.derive(h, func(p, child *modelPromise) {
		if p.err != nil {
			child.settle(nil, p.err)
			return
		}
		child.adopt(fn(p.v.(int)).(*modelPromise))
	})
}

// combine attaches to each of ps; each gets the result of all and the index.
func (w *model) combine(ps []handle, each func(i int, p, out *modelPromise)) *modelPromise {
	out := w.fresh()
	for i, h := range ps {
		p := h.(*modelPromise)
		p.on(func() {
			if !out.settled {
				each(i, p, out)
			}
		})
	}
	return out
}

func (w *model) all(ps []handle) handle {
	values, left := make([]int, len(ps)), len(ps)
	out := w.combine(ps, func(i int, p, out *modelPromise) {
		if p.err != nil {
			out.settle(nil, p.err)
			return
		}
		values[i] = p.v.(int)
		if left--; left == 0 {
			n, _ := sum(values)
			out.settle(n, nil)
		}
	})
	return w.then(out, func(v int) (int, error) { return v, nil })
}

func (w *model) allSettled(ps []handle) handle {
	results, left := make([]*modelPromise, len(ps)), len(ps)
	out := w.combine(ps, func(i int, p, out *modelPromise) {
		results[i] = p
		if left--; left > 0 {
			return
		}
		n := 0
		for _, r := range results {
			if r.err != nil {
				n = 2*n + 1
			} else {
				n = 2*n + r.v.(int)
			}
		}
		out.settle(n, nil)
	})
	return w.then(out, func(v int) (int, error) { return v, nil })
}

func (w *model) race(ps []handle) handle {
	return w.combine(ps, func(_ int, p, out *modelPromise) { out.settle(p.v, p.err) })
}

func (w *model) any(ps []handle) handle {
	errs, left := make([]error, len(ps)), len(ps)
	return w.combine(ps, func(i int, p, out *modelPromise) {
		if p.err == nil {
			out.settle(p.v, nil)
			return
		}
		errs[i] = p.err
		if left--; left == 0 {
			out.settle(nil, errors.New(text(&promise.AggregateError{Errors: errs})))
		}
	})
}

func (w *model) microtask(fn func()) { w.micros = append(w.micros, fn) }
func (w *model) tick(fn func())      { w.ticks = append(w.ticks, fn) }

func (w *model) checkpoint() {
	for len(w.ticks)+len(w.micros) > 0 {
		for len(w.ticks) > 0 {
			fn := w.ticks[0]
			w.ticks = w.ticks[1:]
			fn()
		}
		for len(w.micros) > 0 {
			fn := w.micros[0]
			w.micros = w.micros[1:]
			fn()
		}
	}
	for _, p := range w.rejected {
		if !p.handled {
			w.reports = append(w.reports, "unhandled "+p.err.Error())
		}
	}
	w.rejected = nil
}

func (w *model) run(p *program) {
	p.w = w
	for {
		p.task()
		last := len(p.code) == 0
		w.checkpoint()
		if last {
			return
		}
	}
}
