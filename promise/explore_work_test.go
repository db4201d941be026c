//go:build explore

package promise_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/internal/explore"
	"github.com/eventloop-go/eventloop/promise"
)

// The ops of programs with work: coroutines, functions that may block, and their retries, limits and maps.
const (
	workResolve = iota
	workReject
	workSpawn
	workAsync
	workAwait
	workPromisify
	workRetry
	workTimeout
	workMap
	workTask
	workCancel
	workPanic
	workGoexit
	workShutdown
	workClose
)

func TestExploreWorks(t *testing.T) {
	explore.Family{Name: t.Name(), Options: 4, Actors: 3, Ops: 6, Run: runWorks, Kinds: []explore.OpKind{
		workResolve:   {Name: "resolve", Weight: 7},
		workReject:    {Name: "reject", Weight: 3},
		workSpawn:     {Name: "spawn", Weight: 6, Callback: true},
		workAsync:     {Name: "async", Weight: 3, Callback: true, Inside: 1},
		workAwait:     {Name: "await", Weight: 9, Inside: 1},
		workPromisify: {Name: "promisify", Weight: 4, Callback: true},
		workRetry:     {Name: "retry", Weight: 2},
		workTimeout:   {Name: "timeout", Weight: 2},
		workMap:       {Name: "map", Weight: 2},
		workTask:      {Name: "task", Weight: 3, Callback: true},
		workCancel:    {Name: "cancel", Weight: 2},
		workPanic:     {Name: "panic", Weight: 1, Inside: 1},
		workGoexit:    {Name: "goexit", Weight: 1, Inside: 1},
		workShutdown:  {Name: "shutdown", Weight: 1},
		workClose:     {Name: "close", Weight: 1},
	}}.Explore(t)
}

// A workshop is the judge of one run.
type workshop struct {
	loop     *eventloop.Loop
	owner    int
	limit    int // of functions that block
	clock    int
	actors   int
	ended    bool // a shutdown or close has begun
	closed   bool
	returned bool
	roots    [6]*root
	routines []*routine
	blocking []*errand
	running  int // functions of Promisify
	checks   []func(late bool)
	ctx      context.Context
	cancel   context.CancelCauseFunc
}

// A root is a promise of the program.
type root struct {
	p *promise.Promise[int]
	r promise.Resolver[int]
}

// A routine is a coroutine.
type routine struct {
	p           *promise.Promise[int]
	starts, end int
	waits       *promise.Promise[int] // in Await
	bounded     bool
}

// An errand is a call of Promisify.
type errand struct {
	p          *promise.Promise[int]
	begin, end int // of the call
	starts     int
	bounded    bool
}

func runWorks(p explore.Program) {
	w := &workshop{owner: -1, limit: 1 + int(p.Options&1)}
	w.ctx, w.cancel = context.WithCancelCause(context.Background())
	opts := []eventloop.Option{promise.WithBlockingLimit(w.limit), promise.WithUnhandledRejection(func(*promise.Rejection) {}),
		eventloop.WithPanicHandler(func(e *eventloop.PanicError) {
			explore.Fail("the panic handler is called with %v\n%s", e.Value, e.Stack)
		}), nil}
	if p.Options&2 != 0 {
		opts[3] = inspect.WithMetrics()
	}
	w.loop = eventloop.New(opts...)
	for i := range w.roots {
		p, r := promise.WithResolvers[int](w.loop)
		p.Finally(func() {}) // a rejection is handled
		w.roots[i] = &root{p, r}
	}
	w.actors = len(p.Actors)
	explore.GoNamed("loop", func() {
		w.owner = explore.Self()
		_ = w.loop.Run(context.Background())
		for _, c := range w.routines {
			if c.starts != c.end {
				explore.Fail("Run returns, and a coroutine has begun %d times and ended %d times", c.starts, c.end)
			}
		}
		w.owner, w.returned = -1, true
	})
	for _, ops := range p.Actors {
		explore.GoNamed("actor", func() {
			defer func() { w.actors-- }()
			w.perform(ops, nil)
		})
	}
	explore.Until("actors", func() bool { return w.actors == 0 })
	explore.Quiet()
	w.quiet(false)
	explore.Sleep(time.Second) // longer than all delays, also on a loaded machine
	explore.Quiet()
	w.quiet(true)
	w.ended = true
	if err := w.loop.Shutdown(context.Background()); err != nil {
		explore.Fail("Shutdown returns %v", err)
	}
	w.cancel(errProgram)
	explore.Quiet()
	if !w.returned {
		explore.Fail("Run has not returned")
	}
	if running, queued := inspect.BlockingCalls(w.loop); running+queued+w.running > 0 {
		explore.Fail("%d functions run and %d are queued when all have returned", running, queued)
	}
}

func (w *workshop) onLoop() bool { return w.owner >= 0 && explore.Self() == w.owner }

func (w *workshop) stamp() int {
	w.clock++
	return w.clock
}

// perform performs ops, in a coroutine if c is not nil.
func (w *workshop) perform(ops []explore.Op, c *promise.Coroutine) {
	for i := range ops {
		w.performOne(&ops[i], c)
	}
}

func (w *workshop) performOne(op *explore.Op, c *promise.Coroutine) {
	v := w.roots[int(op.A)%len(w.roots)]
	ctx, bounded := context.Background(), op.B%2 == 0
	if bounded {
		ctx = w.ctx
	}
	switch op.Code {
	case workResolve:
		v.r.Resolve(w.stamp())
	case workReject:
		v.r.Reject(&programError{w.stamp()})
	case workSpawn, workAsync:
		w.coroutine(op, ctx, bounded, op.Code == workAsync && w.onLoop())
	case workAwait:
		if c != nil {
			w.await(c, v.p)
		}
	case workPromisify:
		w.promisify(op, ctx, bounded)
	case workRetry:
		w.retry(op, ctx)
	case workTimeout:
		w.timeout(op, v.p, ctx)
	case workMap:
		w.mapping(op, ctx)
	case workTask:
		_ = w.loop.Submit(func() { w.perform(calm(op.Sub), nil) })
	case workCancel:
		explore.Point("cancel")
		w.cancel(errProgram)
	case workPanic:
		if c != nil {
			panic(errProgram)
		}
	case workGoexit:
		if c != nil {
			runtime.Goexit()
		}
	case workShutdown:
		w.ended = true
		gone, cancel := context.WithCancelCause(context.Background())
		cancel(errProgram)
		_ = w.loop.Shutdown(gone)
	case workClose:
		w.ended, w.closed = true, true
		_ = w.loop.Close()
	}
}

// calm leaves out operations that end a callback: here only coroutines may end so.
func calm(ops []explore.Op) []explore.Op {
	return slices.DeleteFunc(slices.Clone(ops), func(op explore.Op) bool { return op.Code == workPanic || op.Code == workGoexit })
}

// excused reports whether an error is one of an end: of the loop, or of the context, if there is one that ends.
func (w *workshop) excused(err error, ctx context.Context) bool {
	return errors.Is(err, eventloop.ErrLoopTerminated) && w.ended || errors.Is(err, errProgram) && ctx.Err() != nil
}

func (w *workshop) coroutine(op *explore.Op, ctx context.Context, bounded, inside bool) {
	c := &routine{bounded: bounded}
	w.routines = append(w.routines, c)
	start := promise.Spawn[int]
	if inside {
		start = promise.Async[int]
	}
	gone := ctx.Err() != nil
	c.p = start(ctx, w.loop, func(co *promise.Coroutine) (int, error) {
		if c.starts++; c.starts > 1 || gone || !w.onLoop() {
			explore.Fail("a coroutine begins for the time %d, its context has ended: %t, on the loop: %t", c.starts, gone, w.onLoop())
		}
		defer func() { c.end++ }()
		w.perform(op.Sub, co)
		return w.stamp(), nil
	})
	if inside && c.starts == 0 && !gone && ctx.Err() == nil && !w.ended {
		explore.Fail("Async has returned, and its function has not begun")
	}
	c.p.Finally(func() {})
	w.checks = append(w.checks, func(bool) { w.judgeRoutine(c, ctx) })
}

func (w *workshop) judgeRoutine(c *routine, ctx context.Context) {
	_, ok := c.p.Result()
	switch {
	case c.waits != nil:
		if _, settled := c.waits.Result(); settled || c.bounded && ctx.Err() != nil {
			explore.Fail("a coroutine waits for a promise that is settled: %t, or its context has ended: %v", settled, ctx.Err())
		}
		if ok {
			explore.Fail("the promise of a coroutine that waits is settled")
		}
	case c.starts != c.end, !ok:
		explore.Fail("a coroutine has begun %d times and ended %d times; its promise is settled: %t", c.starts, c.end, ok)
	}
}

// await has a coroutine wait for p.
func (w *workshop) await(c *promise.Coroutine, p *promise.Promise[int]) {
	var r *routine
	for _, o := range w.routines {
		if o.starts > o.end && o.waits == nil {
			r = o // the one that began last is the innermost that runs
		}
	}
	r.waits = p
	v, err := promise.Await(c, p)
	r.waits = nil
	if !w.onLoop() {
		explore.Fail("a coroutine goes on away from the loop")
	}
	if res, ok := p.Result(); (!ok || res != promise.Result[int]{Value: v, Err: err}) && !w.excused(err, c.Context()) {
		explore.Fail("Await returns %v, %v, and the promise is %v, %t", v, err, res, ok)
	}
}

func (w *workshop) promisify(op *explore.Op, ctx context.Context, bounded bool) {
	e := &errand{begin: w.stamp(), bounded: bounded}
	w.blocking = append(w.blocking, e)
	e.p = promise.Promisify(ctx, w.loop, func(context.Context) (int, error) {
		w.running++
		defer func() { w.running-- }()
		if e.starts++; e.starts > 1 || w.running > w.limit || w.onLoop() {
			explore.Fail("a function that blocks begins for the time %d, %d run, %d may, on the loop: %t", e.starts, w.running, w.limit, w.onLoop())
		}
		explore.Point("function")
		w.perform(calm(op.Sub), nil)
		switch op.B {
		case 6:
			panic(errProgram)
		case 7:
			runtime.Goexit()
		}
		return w.stamp(), nil
	})
	e.end = w.stamp()
	e.p.Finally(func() {})
	w.checks = append(w.checks, func(bool) {
		res, ok := e.p.Result()
		if !ok || e.starts == 0 && !w.excused(res.Err, ctx) {
			explore.Fail("a function that blocks has begun %d times; its promise is %v, %t", e.starts, res, ok)
		}
	})
}

// quiet judges a moment at which all goroutines are blocked; late, one at which no delay goes on either.
func (w *workshop) quiet(late bool) {
	if w.ended {
		return
	}
	if running, queued := inspect.BlockingCalls(w.loop); running+queued > 0 {
		explore.Fail("%d functions run and %d are queued when nobody can go on", running, queued)
	}
	for _, check := range w.checks {
		check(late)
	}
}

// retry retries work that rejects some times, or takes a promise of the program.
func (w *workshop) retry(op *explore.Op, ctx context.Context) {
	most, attempts := 1+int(op.B)%3, 0
	var last *promise.Promise[int]
	p := promise.Retry(ctx, w.loop, promise.RetryPolicy{Attempts: most, Delay: time.Duration(min(int(op.A)%4, 1)*2-1) * time.Millisecond},
		func(got context.Context) *promise.Promise[int] {
			if attempts++; attempts > most || got.Err() != nil && got == context.Background() || !w.onLoop() {
				explore.Fail("attempt %d of %d, on the loop: %t", attempts, most, w.onLoop())
			}
			if last != nil {
				if r, ok := last.Result(); !ok || r.Err == nil {
					explore.Fail("another attempt begins, and the last is %v, %t", r, ok)
				}
			}
			last = w.roots[(int(op.A)+attempts)%len(w.roots)].p
			return last
		})
	p.Finally(func() {})
	w.checks = append(w.checks, func(late bool) {
		res, ok := p.Result()
		if last == nil {
			if ok != (ctx.Err() != nil) {
				explore.Fail("a retry without an attempt is %v, %t", res, ok)
			}
			return
		}
		was, settled := last.Result()
		switch {
		case ok && !settled, ok && was.Err == nil && res != was:
			explore.Fail("a retry is %v, and its last attempt %v, %t", res, was, settled)
		case ok && was.Err != nil && !errors.Is(res.Err, was.Err), ok && was.Err != nil && attempts < most && ctx.Err() == nil:
			explore.Fail("a retry has given up after %d of %d attempts with %v; the last has %v", attempts, most, res, was)
		case !ok && settled && (late || was.Err == nil || ctx.Err() != nil):
			explore.Fail("the last attempt of a retry is settled, number %d of %d, and the retry is pending", attempts, most)
		}
	})
}

func (w *workshop) timeout(op *explore.Op, of *promise.Promise[int], parent context.Context) {
	d := time.Duration(1+int(op.B)%4) * time.Millisecond
	var ctx context.Context
	called := explore.Elapsed() // the time is taken between this and the call of the work, and the loop may be held up there
	p := promise.WithTimeout(parent, w.loop, d, func(got context.Context) *promise.Promise[int] {
		ctx = got
		return of
	})
	p.Finally(func() {})
	w.checks = append(w.checks, func(late bool) {
		res, ok := p.Result()
		was, settled := of.Result()
		switch {
		case ctx == nil:
			held := ok && errors.Is(res.Err, promise.ErrTimeout) // the loop was held up until the time was over
			if ok != (parent.Err() != nil) && !held {
				explore.Fail("a promise with a time-out whose work was not called is %v, %t", res, ok)
			}
		case ok && ctx.Err() == nil:
			explore.Fail("a promise with a time-out is settled, and the context of its work has not ended")
		case !ok && (settled || late || ctx.Err() != nil):
			explore.Fail("a promise with a time-out is pending; the work is settled: %t, its context: %v", settled, ctx.Err())
		case ok && res.Err == promise.ErrTimeout && explore.Elapsed() < called+d:
			explore.Fail("a time-out comes early")
		case ok && !(settled && res == was) && res.Err != promise.ErrTimeout && !(errors.Is(res.Err, errProgram) && parent.Err() != nil):
			explore.Fail("a promise with a time-out is %v, the work is %v, %t", res, was, settled)
		}
	})
}

func (w *workshop) mapping(op *explore.Op, parent context.Context) {
	const items = 4
	limit, next := 1+int(op.B)%3, 0
	var of [items]*promise.Promise[int]
	pending := func() (n int) {
		for _, p := range of[:next] {
			if _, ok := p.Result(); !ok {
				n++
			}
		}
		return n
	}
	var p *promise.Promise[[]int]
	var ctx context.Context
	p = promise.Map(parent, w.loop, limit, []int{0, 1, 2, 3}, func(got context.Context, i int) *promise.Promise[int] {
		if i != next || pending() >= limit || !w.onLoop() || got.Err() != nil && parent.Err() == nil {
			explore.Fail("Map begins item %d as number %d with %d of %d pending, on the loop: %t, its context: %v", i, next, pending(), limit, w.onLoop(), got.Err())
		}
		ctx, of[i] = got, w.roots[(int(op.A)+i)%len(w.roots)].p
		next++
		return of[i]
	})
	p.Finally(func() {})
	w.checks = append(w.checks, func(bool) {
		r, ok := p.Result()
		var failed []error
		for _, p := range of[:next] {
			if r, ok := p.Result(); ok && r.Err != nil {
				failed = append(failed, r.Err)
			}
		}
		switch complete := next == items && pending() == 0; {
		case ok && ctx != nil && ctx.Err() == nil:
			explore.Fail("the promise of Map is settled, and the context of its work has not ended")
		case ok && r.Err == nil:
			for i, p := range of {
				if res, ok := p.Result(); !complete || !ok || res.Value != r.Value[i] {
					explore.Fail("item %d of Map is %v, and its promise %v, %t", i, r.Value[i], res, ok)
				}
			}
		case ok && !slices.Contains(failed, r.Err) && !(errors.Is(r.Err, errProgram) && parent.Err() != nil):
			explore.Fail("Map is rejected with %v, its items with %v", r.Err, failed)
		case !ok && (complete || len(failed) > 0 || pending() < min(limit, items-next)):
			explore.Fail("Map is pending with %d items begun, %d pending, errors %v", next, pending(), failed)
		}
	})
}
