package promise_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

type recorder struct {
	loop *eventloop.Loop
	log  []string
}

func (r *recorder) add(v any) { r.log = append(r.log, fmt.Sprint(v)) }

// counts logs 1, 2, 3 … in as many microtasks, one after the other.
func (r *recorder) counts(n int) {
	p := promise.Resolve(r.loop, 0)
	for i := 1; i <= n; i++ {
		p = promise.Then(p, func(int) (int, error) { r.add(i); return i, nil })
	}
}

func (r *recorder) logs(name string) func(int) (int, error) {
	return func(v int) (int, error) { r.add(name); return v, nil }
}

func (r *recorder) logsValue(name string) func(any) (any, error) {
	return func(v any) (any, error) { r.add(fmt.Sprint(name, v)); return v, nil }
}

type thenableFunc func(promise.DynamicResolver) error

func (f thenableFunc) Then(r promise.DynamicResolver) error { return f(r) }

// The JavaScript of each case, run in Node 20, logs the text in want.
func TestMicrotasksAreSpentAsInJavaScript(t *testing.T) {
	for _, c := range []struct {
		name, js, want string
		run            func(r *recorder)
	}{
		{
			"a callback that returns a promise takes two more",
			`Promise.resolve().then(() => Promise.resolve(4)).then(v => log('a')); counts(5)`,
			"1 2 3 a 4 5",
			func(r *recorder) {
				promise.Then(promise.ThenPromise(promise.Resolve(r.loop, 0), func(int) *promise.Promise[int] {
					return promise.Resolve(r.loop, 4)
				}), r.logs("a"))
				r.counts(5)
			},
		},
		{
			"so does a dynamic promise",
			`Promise.resolve().then(() => Promise.resolve(4)).then(v => log('a' + v)); counts(5)`,
			"1 2 3 a4 4 5",
			func(r *recorder) {
				promise.ResolveDynamic(r.loop, nil).Then(func(any) (any, error) {
					return promise.ResolveDynamic(r.loop, 4), nil
				}, nil).Then(r.logsValue("a"), nil)
				r.counts(5)
			},
		},
		{
			"resolving with a promise",
			`let r; new Promise(f => r = f).then(v => log('a')); r(Promise.resolve(4)); counts(5)`,
			"1 2 a 3 4 5",
			func(r *recorder) {
				p, res := promise.WithResolvers[int](r.loop)
				promise.Then(p, r.logs("a"))
				res.Follow(promise.Resolve(r.loop, 4))
				r.counts(5)
			},
		},
		{
			"a dynamic promise resolved with a typed one",
			`let r; new Promise(f => r = f).then(v => log('a' + v)); r(Promise.resolve(4)); counts(5)`,
			"1 2 a4 3 4 5",
			func(r *recorder) {
				d, res := promise.WithDynamicResolver(r.loop)
				d.Then(r.logsValue("a"), nil)
				res.Resolve(promise.Resolve(r.loop, 4))
				r.counts(5)
			},
		},
		{
			"a thenable is called in its own microtask",
			`let r; new Promise(f => r = f).then(v => log('a' + v)); r({then(f) { log('then'); f(4) }}); counts(4)`,
			"then 1 a4 2 3 4",
			func(r *recorder) {
				d, res := promise.WithDynamicResolver(r.loop)
				d.Then(r.logsValue("a"), nil)
				res.Resolve(thenableFunc(func(f promise.DynamicResolver) error {
					r.add("then")
					f.Resolve(4)
					return nil
				}))
				r.counts(4)
			},
		},
		{
			"dynamic finally on a value",
			`Promise.resolve(1).finally(() => log('f')).then(v => log('a' + v)); counts(6)`,
			"f 1 2 3 a1 4 5 6",
			func(r *recorder) {
				promise.ResolveDynamic(r.loop, 1).Finally(func() (any, error) { r.add("f"); return nil, nil }).Then(r.logsValue("a"), nil)
				r.counts(6)
			},
		},
		{
			"dynamic finally on a reason",
			`Promise.reject(1).finally(() => log('f')).catch(v => log('a' + v)); counts(6)`,
			"f 1 2 3 a1 4 5 6",
			func(r *recorder) {
				promise.RejectDynamic(r.loop, 1).Finally(func() (any, error) { r.add("f"); return nil, nil }).Catch(func(err error) (any, error) {
					return r.logsValue("a")(promise.Reason(err))
				})
				r.counts(6)
			},
		},
		{
			"fan-out, with a tick, a microtask and an exception inside",
			`let r; const p = new Promise(f => r = f);
			 p.then(() => { log('a'); process.nextTick(() => log('tick')); queueMicrotask(() => log('micro')) });
			 p.then(() => { log('b'); throw 1 }).catch(() => log('caught')); p.then(() => log('c'));
			 r(); queueMicrotask(() => log('x')); p.then(() => log('d')); process.nextTick(() => log('tick0'))`,
			"tick0 a b c x d micro caught tick",
			func(r *recorder) {
				p, res := promise.WithResolvers[int](r.loop)
				promise.Then(p, func(int) (int, error) {
					r.add("a")
					_ = r.loop.NextTick(func() { r.add("tick") })
					_ = r.loop.ScheduleMicrotask(func() { r.add("micro") })
					return 0, nil
				})
				promise.Then(p, func(int) (int, error) { r.add("b"); panic(1) }).Catch(func(error) (int, error) { r.add("caught"); return 0, nil })
				promise.Then(p, r.logs("c"))
				res.Resolve(0)
				_ = r.loop.ScheduleMicrotask(func() { r.add("x") })
				promise.Then(p, r.logs("d"))
				_ = r.loop.NextTick(func() { r.add("tick0") })
			},
		},
		{
			"attaching before and after settling, with microtasks in between",
			`let r; const p = new Promise(f => r = f); p.then(() => log('a')); r();
			 queueMicrotask(() => log('x')); p.then(() => log('b')); queueMicrotask(() => log('y'))`,
			"a x b y",
			func(r *recorder) {
				p, res := promise.WithResolvers[int](r.loop)
				promise.Then(p, r.logs("a"))
				res.Resolve(0)
				_ = r.loop.ScheduleMicrotask(func() { r.add("x") })
				promise.Then(p, r.logs("b"))
				_ = r.loop.ScheduleMicrotask(func() { r.add("y") })
			},
		},
		{
			"combinators",
			`Promise.all([Promise.resolve(1), Promise.resolve(2)]).then(v => log('all'));
			 Promise.race([Promise.resolve(1)]).then(v => log('race'));
			 Promise.any([Promise.reject(1), Promise.resolve(2)]).then(v => log('any'));
			 Promise.allSettled([Promise.resolve(1)]).then(v => log('settled')); counts(4)`,
			"1 all race any settled 2 3 4",
			func(r *recorder) {
				one, two := promise.Resolve(r.loop, 1), promise.Resolve(r.loop, 2)
				promise.Then(promise.All(r.loop, one, two), func([]int) (int, error) { r.add("all"); return 0, nil })
				promise.Then(promise.Race(r.loop, one), r.logs("race"))
				promise.Then(promise.Any(r.loop, promise.Reject[int](r.loop, errors.New("no")), two), r.logs("any"))
				promise.Then(promise.AllSettled(r.loop, one), func([]promise.Result[int]) (int, error) { r.add("settled"); return 0, nil })
				r.counts(4)
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var r *recorder
			onALoop(t, func(loop *eventloop.Loop) {
				r = &recorder{loop: loop}
				c.run(r)
			})
			if got := strings.Join(r.log, " "); got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.js, got, c.want)
			}
		})
	}
}
