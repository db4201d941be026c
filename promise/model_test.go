package promise_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// A world can do what the programs of this test ask for: the real one with package promise, the other with a model
// that follows ECMA-262 word for word, one microtask for each reaction, on one goroutine. Both keep a log.
type world interface {
	create() handle
	resolve(p handle, v int)
	reject(p handle, err error)
	follow(p, q handle)
	then(p handle, fn func(int) (int, error)) handle
	catch(p handle, fn func(error) (int, error)) handle
	finally(p handle, fn func()) handle
	thenPromise(p handle, fn func(int) handle) handle
	all(ps []handle) handle
	allSettled(ps []handle) handle
	race(ps []handle) handle
	any(ps []handle) handle
	microtask(fn func())
	tick(fn func())
}

type handle any

var errPanic = errors.New("a panic")

// A program is bytes that choose, one after the other, what happens next: at top level and in every handler that runs.
type program struct {
	w     world
	code  []byte
	made  []handle
	names int
	log   []string
}

func (p *program) next() int {
	if len(p.code) == 0 {
		return 0
	}
	b := p.code[0]
	p.code = p.code[1:]
	return int(b)
}

func (p *program) pick() handle { return p.made[p.next()%len(p.made)] }

func (p *program) add(h handle) {
	if len(p.made) < 200 {
		p.made = append(p.made, h)
	}
}

// handler logs that it ran, with what, and does some more of the program.
func (p *program) handler() func(got any) {
	p.names++
	name := p.names
	return func(got any) {
		p.log = append(p.log, fmt.Sprintf("%d(%v)", name, got))
		for range p.next() % 3 {
			p.step()
		}
	}
}

func (p *program) step() {
	if len(p.code) == 0 {
		return
	}
	if len(p.made) == 0 {
		p.add(p.w.create())
	}
	op := p.next() % 20
	h := p.handler()
	n := p.names
	switch op {
	case 0:
		p.add(p.w.create())
	case 1, 2, 3:
		p.w.resolve(p.pick(), n)
	case 4:
		p.w.reject(p.pick(), fmt.Errorf("e%d", n))
	case 5, 6, 7, 8:
		p.add(p.w.then(p.pick(), func(v int) (int, error) { h(v); return n, nil }))
	case 9:
		p.add(p.w.then(p.pick(), func(v int) (int, error) { h(v); return 0, fmt.Errorf("e%d", n) }))
	case 10:
		p.add(p.w.then(p.pick(), func(v int) (int, error) { h(v); panic(errPanic) }))
	case 11:
		p.add(p.w.catch(p.pick(), func(err error) (int, error) { h(err); return n, nil }))
	case 12:
		p.add(p.w.finally(p.pick(), func() { h("finally") }))
	case 13:
		p.add(p.w.thenPromise(p.pick(), func(v int) handle { h(v); return p.pick() }))
	case 14:
		p.w.follow(p.pick(), p.pick())
	case 15:
		p.add(p.w.all([]handle{p.pick(), p.pick(), p.pick()}))
	case 16:
		p.add(p.w.race([]handle{p.pick(), p.pick(), p.pick()}))
	case 17:
		if p.next()%2 == 0 {
			p.add(p.w.any([]handle{p.pick(), p.pick()}))
		} else {
			p.add(p.w.allSettled([]handle{p.pick(), p.pick()}))
		}
	case 18:
		p.w.microtask(func() { h("microtask") })
	case 19:
		p.w.tick(func() { h("tick") })
	}
}

// tasks gives the program as a sequence of macrotasks.
func (p *program) task() { p.log = append(p.log, "task"); p.step(); p.step(); p.step() }

func sum(vs []int) (int, error) {
	n := 0
	for _, v := range vs {
		n += v
	}
	return n, nil
}

// real drives package promise.
type real struct {
	loop      *eventloop.Loop
	resolvers map[*promise.Promise[int]]promise.Resolver[int]
	reports   []string
}

func newReal() *real {
	w := &real{resolvers: map[*promise.Promise[int]]promise.Resolver[int]{}}
	w.loop = eventloop.New(
		eventloop.WithAutoExit(),
		promise.WithUnhandledRejection(func(r *promise.Rejection) { w.reports = append(w.reports, "unhandled "+text(r.Err)) }),
		promise.WithHandledRejection(func(r *promise.Rejection) { w.reports = append(w.reports, "later "+text(r.Err)) }),
	)
	return w
}

// text leaves out what the model has no equal of.
func text(err error) string {
	switch e := err.(type) {
	case *eventloop.PanicError:
		return text(e.Unwrap())
	case *promise.AggregateError:
		s := "aggregate"
		for _, e := range e.Errors {
			s += " " + text(e)
		}
		return s
	default:
		return err.Error()
	}
}

func (w *real) p(h handle) *promise.Promise[int] { return h.(*promise.Promise[int]) }

func (w *real) ps(hs []handle) (ps []*promise.Promise[int]) {
	for _, h := range hs {
		ps = append(ps, w.p(h))
	}
	return ps
}

func (w *real) create() handle {
	p, r := promise.WithResolvers[int](w.loop)
	w.resolvers[p] = r
	return p
}

func (w *real) resolve(p handle, v int)    { w.resolvers[w.p(p)].Resolve(v) }
func (w *real) reject(p handle, err error) { w.resolvers[w.p(p)].Reject(err) }
func (w *real) follow(p, q handle)         { w.resolvers[w.p(p)].Follow(w.p(q)) }

func (w *real) then(p handle, fn func(int) (int, error)) handle { return promise.Then(w.p(p), fn) }

func (w *real) catch(p handle, fn func(error) (int, error)) handle {
	return w.p(p).Catch(func(err error) (int, error) { return fn(errors.New(text(err))) })
}

func (w *real) finally(p handle, fn func()) handle { return w.p(p).Finally(fn) }

func (w *real) thenPromise(p handle, fn func(int) handle) handle {
	return promise.ThenPromise(w.p(p), func(v int) *promise.Promise[int] { return w.p(fn(v)) })
}

func (w *real) all(ps []handle) handle {
	return promise.Then(promise.All(w.loop, w.ps(ps)...), sum)
}

func (w *real) allSettled(ps []handle) handle {
	return promise.Then(promise.AllSettled(w.loop, w.ps(ps)...), func(rs []promise.Result[int]) (int, error) {
		n := 0
		for _, r := range rs {
			n = 2*n + r.Value
			if r.Err != nil {
				n++
			}
		}
		return n, nil
	})
}

func (w *real) race(ps []handle) handle { return promise.Race(w.loop, w.ps(ps)...) }
func (w *real) any(ps []handle) handle  { return promise.Any(w.loop, w.ps(ps)...) }
func (w *real) microtask(fn func())     { _ = w.loop.ScheduleMicrotask(fn) }
func (w *real) tick(fn func())          { _ = w.loop.NextTick(fn) }

func (w *real) run(p *program) {
	p.w = w
	var task func()
	task = func() {
		p.task()
		if len(p.code) > 0 {
			_ = w.loop.Submit(task)
		}
	}
	_ = w.loop.Submit(task)
	if err := w.loop.Run(context.Background()); err != nil {
		panic(err)
	}
}

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
	reported  bool
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
	if p.reported {
		p.reported = false
		p.w.reports = append(p.w.reports, "later "+p.err.Error())
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
			p.reported = true
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

// compare runs a program in both worlds.
func compare(t *testing.T, code []byte) {
	t.Helper()
	got, want := &program{code: code}, &program{code: code}
	r, m := newReal(), &model{}
	r.run(got)
	m.run(want)
	if !slices.Equal(got.log, want.log) {
		i := 0
		for i < min(len(got.log), len(want.log)) && got.log[i] == want.log[i] {
			i++
		}
		t.Fatalf("program %v\nlogs differ from entry %d:\n got %v\nwant %v", code, i, got.log, want.log)
	}
	slices.Sort(r.reports)
	slices.Sort(m.reports)
	if !slices.Equal(r.reports, m.reports) {
		t.Fatalf("program %v\nreports differ:\n got %v\nwant %v", code, r.reports, m.reports)
	}
}
