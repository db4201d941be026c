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

// A world performs the programs of this test. The real one uses package promise. The other uses a model that follows
// ECMA-262 word for word, one microtask for each reaction, on one goroutine. Both keep a log.
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

// A program is a string of bytes. Each byte chooses the next operation, at top level and in every handler that runs.
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

// handler logs its call and argument, and then runs more of the program.
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
	)
	return w
}

// text leaves out details without an equal in the model.
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
