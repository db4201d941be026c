//go:build explore

package promise_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/internal/explore"
	"github.com/eventloop-go/eventloop/promise"
)

// A graph judges one run. It records the promises that a program has made, their sources, and the events observed.
// Only one goroutine runs at a time, so it needs no lock, and its clock orders everything.
type graph struct {
	loops    [2]*eventloop.Loop
	owners   [2]int
	ended    [2]bool // a shutdown or close has begun
	returned [2]bool
	clock    int
	nodes    []*vertex
	slots    [4]*vertex
	actors   int
	waiters  int // goroutines that wait for a promise
	thrown   int // calls of Goexit in reactions, which the handler has to learn of
	handled  int
	reports  map[error]int
	ctx      context.Context
	cancel   context.CancelCauseFunc
}

// A vertex is a promise of a graph.
type vertex struct {
	g       *graph
	kind    string
	loop    int
	p       *promise.Promise[int]
	r       promise.Resolver[int]
	parents []*vertex
	wins    int // calls of the resolver that have decided the outcome
	decided promise.Result[int]
	follows *vertex
	fn      *reaction // of Then, Catch, Finally
	links   []*reaction
	seen    *promise.Result[int]
	touched bool // something was attached, or was about to be
}

// A reaction is a function attached to a vertex.
type reaction struct {
	begin, end int
	kind       string
	ran        int
	out        *promise.Result[int] // its result, or how it ended
}

var errProgram = errors.New("the program has cancelled this")

// A programError is the error of one rejecting call.
type programError struct{ n int }

func (e *programError) Error() string { return fmt.Sprintf("error %d of the program", e.n) }

func newGraph(options uint) *graph {
	g := &graph{owners: [2]int{-1, -1}, reports: make(map[error]int)}
	g.ctx, g.cancel = context.WithCancelCause(context.Background())
	var busy, metrics eventloop.Option
	if options&2 != 0 {
		busy = eventloop.WithBusyPolling(200 * time.Nanosecond)
	}
	if options&4 != 0 {
		metrics = inspect.WithMetrics()
	}
	for i := range g.loops {
		g.loops[i] = eventloop.New(
			eventloop.WithPanicHandler(func(e *eventloop.PanicError) {
				if g.handled++; e.Value != eventloop.ErrGoexit {
					explore.Fail("the panic handler is called with %v\n%s", e.Value, e.Stack)
				}
			}),
			promise.WithUnhandledRejection(func(r *promise.Rejection) { g.reports[r.Err]++ }),
			busy, metrics)
	}
	return g
}

func (g *graph) run(i int) {
	defer func() { g.owners[i], g.returned[i] = -1, true }()
	g.owners[i] = explore.Self()
	if err := g.loops[i].Run(context.Background()); err != nil && !errors.Is(err, eventloop.ErrLoopClosed) && !g.ended[i] {
		explore.Fail("Run returns %v", err)
	}
}

func (g *graph) stamp() int {
	g.clock++
	return g.clock
}

func (g *graph) on(i int) bool { return g.owners[i] >= 0 && explore.Self() == g.owners[i] }

// here returns the loop whose callback this is, or −1.
func (g *graph) here() int {
	for i := range g.loops {
		if g.on(i) {
			return i
		}
	}
	return -1
}

// add makes a vertex.
func (g *graph) add(kind string, loop int, make func(v *vertex) *promise.Promise[int], parents ...*vertex) *vertex {
	v := &vertex{g: g, kind: kind, loop: loop, parents: parents}
	for _, p := range parents {
		p.touched = true
	}
	g.nodes = append(g.nodes, v)
	v.p = make(v)
	return v
}

// result looks at a promise, which must not change once it is settled.
func (v *vertex) result() (promise.Result[int], bool) {
	if v.p == nil { // it is being made
		return promise.Result[int]{}, false
	}
	r, ok := v.p.Result()
	switch {
	case v.seen != nil && (!ok || r != *v.seen):
		explore.Fail("a %s promise was settled with %v and is now %v, %t", v.kind, *v.seen, r, ok)
	case ok:
		v.seen = &r
	}
	return r, ok
}

// link attaches a reaction. The vertex judges the reaction's argument; body produces its result.
func (v *vertex) link(kind string, attach func(run func(got *promise.Result[int], body func() (int, error)) (int, error)) *promise.Promise[int]) *vertex {
	r := &reaction{begin: v.g.stamp(), kind: kind}
	v.links = append(v.links, r)
	child := v.g.add(kind, v.loop, func(c *vertex) *promise.Promise[int] {
		c.fn = r
		return attach(func(got *promise.Result[int], body func() (int, error)) (int, error) { return v.react(r, got, body) })
	}, v)
	r.end = v.g.stamp()
	return child
}

// react runs on the loop.
func (v *vertex) react(r *reaction, got *promise.Result[int], body func() (int, error)) (value int, err error) {
	explore.Note("%s reaction begins", r.kind)
	res, ok := v.result()
	switch r.ran++; {
	case r.ran > 1:
		explore.Fail("a %s reaction runs twice", r.kind)
	case !v.g.on(v.loop):
		explore.Fail("a %s reaction runs on goroutine %d", r.kind, explore.Self())
	case !ok || got != nil && *got != res:
		explore.Fail("a %s reaction is given %v, and the promise is %v, %t", r.kind, got, res, ok)
	}
	for _, o := range v.links {
		if o != r && o.end > 0 && o.end < r.begin && o.ran == 0 && o.applies(res) {
			explore.Fail("a %s reaction runs before a %s reaction that was attached before it", r.kind, o.kind)
		}
	}
	r.out = &promise.Result[int]{Err: &eventloop.PanicError{}}
	value, err = body()
	r.out = &promise.Result[int]{Value: value, Err: err}
	return value, err
}

// applies reports whether the function of a reaction is called for an outcome.
func (r *reaction) applies(res promise.Result[int]) bool {
	switch r.kind {
	case "then":
		return res.Err == nil
	case "catch":
		return res.Err != nil
	}
	return true
}

// quiet judges a moment at which all goroutines are blocked.
func (g *graph) quiet() {
	for _, v := range g.nodes {
		res, ok := v.result()
		if g.ended[v.loop] || !v.alive() {
			continue
		}
		if ok {
			for _, r := range v.links {
				if r.applies(res) && r.ran == 0 {
					explore.Fail("a promise is settled with %v, and a %s reaction to it has not run", res, r.kind)
				}
			}
			if res.Err != nil && v.kind == "root" && !v.touched && g.reports[res.Err] == 0 {
				explore.Fail("nobody has attached to a rejected promise, and it is not reported")
			}
		}
		v.judge(res, ok)
	}
	// Goexit rejects the promise of its reaction. For reactions to one promise the handler is called once.
	if g.ended == [2]bool{} && (g.handled > g.thrown || g.handled == 0 && g.thrown > 0) {
		explore.Fail("the panic handler was called %d times for %d calls of Goexit", g.handled, g.thrown)
	}
}

// alive reports whether the loops of all that v depends on go on.
func (v *vertex) alive() bool {
	for _, p := range v.parents {
		if v.g.ended[p.loop] || !p.alive() {
			return false
		}
	}
	return !v.g.ended[v.loop] && (v.follows == nil || v.follows == v || v.follows.alive())
}

// judge compares the outcome with the outcomes of v's sources.
func (v *vertex) judge(res promise.Result[int], ok bool) {
	var in []promise.Result[int]
	settled := 0
	for _, p := range v.parents {
		r, ok := p.result()
		if ok {
			settled++
			in = append(in, r)
		}
	}
	want := func(r promise.Result[int], is bool) {
		_, isPanic := r.Err.(*eventloop.PanicError)
		_, wasPanic := res.Err.(*eventloop.PanicError)
		if ok != is || res != r && !(isPanic && wasPanic) {
			explore.Fail("a promise made by %s is %v, %t, want %v, %t", v.kind, res, ok, r, is)
		}
	}
	switch v.kind {
	case "root":
		switch {
		case v.wins > 1:
			explore.Fail("%d calls have decided the outcome of a promise", v.wins)
		case v.follows == nil:
			want(v.decided, v.wins == 1)
		case v.follows == v:
			want(promise.Result[int]{Err: promise.ErrSelfResolution}, true)
		default:
			want(v.follows.result())
		}
	case "then", "catch", "finally", "thenelse", "tap":
		switch {
		case settled == 0:
			want(promise.Result[int]{}, false)
		case !v.fn.applies(in[0]), (v.kind == "finally" || v.kind == "tap") && v.fn.out != nil && v.fn.out.Err == nil:
			want(in[0], true)
		case v.fn.out != nil:
			want(*v.fn.out, true)
		}
	case "thenpromise":
		first, ok := v.parents[0].result()
		if ok && first.Err == nil {
			want(v.parents[1].result())
		} else {
			want(first, ok)
		}
	case "allsettled":
		if settled < 2 {
			want(promise.Result[int]{}, false)
		} else {
			want(promise.Result[int]{Value: settledSum(in)}, true)
		}
	case "on", "dynamic":
		want(v.parents[0].result())
	case "race", "any", "all":
		v.judgeGathering(in, res, ok, want)
	}
}

func (v *vertex) judgeGathering(in []promise.Result[int], res promise.Result[int], ok bool, want func(promise.Result[int], bool)) {
	sum, rejected, fulfilled := 0, 0, 0
	among := false
	for _, r := range in {
		if r.Err != nil {
			rejected++
		} else {
			fulfilled++
			sum += r.Value
		}
		among = among || r == res
	}
	complete := len(in) == len(v.parents)
	switch {
	case v.kind == "race" && ok != (len(in) > 0), v.kind == "any" && ok != (fulfilled > 0 || complete), v.kind == "all" && ok != (rejected > 0 || complete):
		explore.Fail("%s of %d promises, of which %d are fulfilled and %d rejected, is settled: %t", v.kind, len(v.parents), fulfilled, rejected, ok)
	case !ok:
	case v.kind == "all" && rejected == 0:
		want(promise.Result[int]{Value: sum}, true)
	case v.kind == "any" && fulfilled == 0:
		if e, is := res.Err.(*promise.AggregateError); !is || len(e.Errors) != len(in) {
			explore.Fail("any of rejected promises is %v", res)
		}
	case !among || v.kind == "any" && res.Err != nil || v.kind == "all" && res.Err == nil:
		explore.Fail("%s is %v, of %v", v.kind, res, in)
	}
}

// finish ends the loops and judges the final state.
func (g *graph) finish() {
	for i, l := range g.loops {
		g.ended[i] = true
		if err := l.Shutdown(context.Background()); err != nil {
			explore.Fail("Shutdown returns %v", err)
		}
	}
	g.cancel(errProgram) // releases the waiters
	explore.Until("waiters", func() bool { return g.waiters == 0 })
	explore.Quiet()
	for i := range g.loops {
		if !g.returned[i] {
			explore.Fail("Run has not returned")
		}
	}
	for _, v := range g.nodes {
		if _, ok := v.result(); !ok && v.kind == "on" && v.loop != v.parents[0].loop {
			explore.Fail("the loop of a promise has ended, and one on another loop that follows it is pending")
		}
		for _, r := range v.links {
			if r.ran > 1 {
				explore.Fail("a reaction has run %d times", r.ran)
			}
		}
	}
}

var delays = [...]time.Duration{0, time.Millisecond, 2 * time.Millisecond, 1}
