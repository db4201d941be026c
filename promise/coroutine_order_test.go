package promise_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// A player plays a script of JavaScript, translated to Go.
type player struct {
	loop *eventloop.Loop
	log  strings.Builder
}

func (s *player) l(args ...any) {
	s.log.WriteString(strings.TrimSuffix(fmt.Sprintln(args...), "\n") + ";")
}

// async is (async () => { … })().
func (s *player) async(body func(c *promise.Coroutine)) *promise.Promise[none] {
	return start(s.loop, body)
}

// value is a promise that is fulfilled: awaiting it is awaiting the value.
func (s *player) value(v int) *promise.Promise[int] { return promise.Resolve(s.loop, v) }

// count is Promise.resolve().then(() => l(1)).then(() => l(2)) and so on, up to n.
func (s *player) count(n int) {
	p := s.value(0)
	for i := 1; i <= n; i++ {
		p = promise.Then(p, func(int) (int, error) { s.l(i); return i, nil })
	}
}

// soon is setImmediate and tick is process.nextTick.
func (s *player) soon(fn func()) { _ = s.loop.ScheduleImmediate(fn) }
func (s *player) tick(fn func()) { _ = s.loop.NextTick(fn) }

func (s *player) await(c *promise.Coroutine, v int) int {
	v, _ = promise.Await(c, s.value(v))
	return v
}

// The field node has the output of Node 20.
var asyncScripts = []struct {
	name, js, node string
	play           func(s *player)
}{
	{
		"the body runs at once up to the first await",
		`l('a');(async()=>{l('b');await 0;l('d')})();l('c')`,
		"a;b;c;d;",
		func(s *player) {
			s.l("a")
			s.async(func(c *promise.Coroutine) { s.l("b"); s.await(c, 0); s.l("d") })
			s.l("c")
		},
	},
	{
		"await takes one microtask",
		`(async()=>{for(const n of ['a','b','c']){await 0;l(n)}})();Promise.resolve().then(()=>l(1)).then(()=>l(2)).then(()=>l(3)).then(()=>l(4))`,
		"a;1;b;2;c;3;4;",
		func(s *player) {
			s.async(func(c *promise.Coroutine) {
				for _, n := range []string{"a", "b", "c"} {
					s.await(c, 0)
					s.l(n)
				}
			})
			s.count(4)
		},
	},
	{
		"two async functions take turns",
		`const f=async n=>{for(let i=0;i<3;i++){l(n,i);await 0}};f('a');f('b');l('sync')`,
		"a 0;b 0;sync;a 1;b 1;a 2;b 2;",
		func(s *player) {
			for _, n := range []string{"a", "b"} {
				s.async(func(c *promise.Coroutine) {
					for i := range 3 {
						s.l(n, i)
						s.await(c, 0)
					}
				})
			}
			s.l("sync")
		},
	},
	{
		"what an async function returns arrives one microtask later",
		`const f=async()=>{await 0;l('f');return 'v'};f().then(l);Promise.resolve().then(()=>l(1)).then(()=>l(2)).then(()=>l(3))`,
		"f;1;v;2;3;",
		func(s *player) {
			f := promise.Async(context.Background(), s.loop, func(c *promise.Coroutine) (string, error) {
				s.await(c, 0)
				s.l("f")
				return "v", nil
			})
			promise.Then(f, func(v string) (none, error) { s.l(v); return none{}, nil })
			s.count(3)
		},
	},
	{
		"an async function awaits another",
		`const g=async()=>{l('g');await 0;l('g2');return 7};(async()=>{l('f');l(await g());l('f2')})();Promise.resolve().then(()=>l(1)).then(()=>l(2)).then(()=>l(3)).then(()=>l(4))`,
		"f;g;g2;1;7;f2;2;3;4;",
		func(s *player) {
			s.async(func(c *promise.Coroutine) {
				s.l("f")
				v, _ := promise.Await(c, promise.Async(context.Background(), s.loop, func(c *promise.Coroutine) (int, error) {
					s.l("g")
					s.await(c, 0)
					s.l("g2")
					return 7, nil
				}))
				s.l(v)
				s.l("f2")
			})
			s.count(4)
		},
	},
	{
		"es/await-try-finally",
		`(async()=>{try{await Promise.reject('x')}catch(e){l('catch',e)}finally{l('fin1');await 0;l('fin2')}l('end')})();Promise.resolve().then(()=>l(1)).then(()=>l(2)).then(()=>l(3))`,
		"catch x;fin1;1;fin2;end;2;3;",
		func(s *player) {
			s.async(func(c *promise.Coroutine) {
				func() {
					defer func() { s.l("fin1"); s.await(c, 0); s.l("fin2") }()
					if _, err := promise.Await(c, promise.Reject[int](s.loop, errors.New("x"))); err != nil {
						s.l("catch", err)
					}
				}()
				s.l("end")
			})
			s.count(3)
		},
	},
	{
		"web/async-sleep-sequence",
		`const s=ms=>new Promise(r=>setTimeout(r,ms));(async()=>{l(1);await s(2);l(2);await s(2);l(3)})();(async()=>{l('x');await s(60);l('y')})()`,
		"1;x;2;3;y;",
		func(s *player) {
			sleep := func(c *promise.Coroutine, ms time.Duration) {
				_, _ = promise.Await(c, promise.Sleep(c.Context(), s.loop, ms*time.Millisecond))
			}
			s.async(func(c *promise.Coroutine) { s.l(1); sleep(c, 2); s.l(2); sleep(c, 2); s.l(3) })
			s.async(func(c *promise.Coroutine) { s.l("x"); sleep(c, 60); s.l("y") })
		},
	},
	{
		"async-functions-and-ticks",
		`async function f(n){l(n,'in');await null;l(n,'one');process.nextTick(()=>l(n,'tick'));await new Promise(r=>setImmediate(r));l(n,'two')}f('a');f('b');process.nextTick(()=>l('first tick'))`,
		"a in;b in;first tick;a one;b one;a tick;b tick;a two;b two;",
		func(s *player) {
			for _, n := range []string{"a", "b"} {
				s.async(func(c *promise.Coroutine) {
					s.l(n, "in")
					s.await(c, 0)
					s.l(n, "one")
					s.tick(func() { s.l(n, "tick") })
					p, r := promise.WithResolvers[int](s.loop)
					s.soon(func() { r.Resolve(0) })
					_, _ = promise.Await(c, p)
					s.l(n, "two")
				})
			}
			s.tick(func() { s.l("first tick") })
		},
	},
	{
		"all of async functions",
		`Promise.all([1,2].map(async n=>{await n;l(n);return n*2})).then(v=>l(...v));Promise.resolve().then(()=>l('a')).then(()=>l('b')).then(()=>l('c')).then(()=>l('d'))`,
		"1;2;a;b;2 4;c;d;",
		func(s *player) {
			var ps []*promise.Promise[int]
			for n := 1; n <= 2; n++ {
				ps = append(ps, promise.Async(context.Background(), s.loop, func(c *promise.Coroutine) (int, error) {
					s.await(c, n)
					s.l(n)
					return n * 2, nil
				}))
			}
			promise.Then(promise.All(s.loop, ps...), func(v []int) (none, error) { s.l(v[0], v[1]); return none{}, nil })
			p := s.value(0)
			for _, n := range []string{"a", "b", "c", "d"} {
				p = promise.Then(p, func(int) (int, error) { s.l(n); return 0, nil })
			}
		},
	},
	{
		"those that await one promise go on in the order of their awaits",
		`let r;const p=new Promise(f=>r=f);for(const n of ['a','b','c'])(async()=>{await p;l(n);await 0;l(n,2)})();p.then(()=>l('then'));r();l('sync')`,
		"sync;a;b;c;then;a 2;b 2;c 2;",
		func(s *player) {
			p, r := promise.WithResolvers[int](s.loop)
			for _, n := range []string{"a", "b", "c"} {
				s.async(func(c *promise.Coroutine) {
					_, _ = promise.Await(c, p)
					s.l(n)
					s.await(c, 0)
					s.l(n, 2)
				})
			}
			promise.Then(p, func(int) (int, error) { s.l("then"); return 0, nil })
			r.Resolve(0)
			s.l("sync")
		},
	},
	{
		"a rejection ends the async functions on the way",
		`const h=async()=>{await 0;throw 'no'};const g=async()=>{await h();l('never')};const f=async()=>{try{await g()}catch(e){l('f',e)}};f().then(()=>l('end'));Promise.resolve().then(()=>l(1)).then(()=>l(2)).then(()=>l(3)).then(()=>l(4)).then(()=>l(5))`,
		"1;2;f no;3;end;4;5;",
		func(s *player) {
			h := func(c *promise.Coroutine) (int, error) { s.await(c, 0); return 0, errors.New("no") }
			g := func(c *promise.Coroutine) (int, error) {
				if _, err := promise.Await(c, promise.Async(context.Background(), s.loop, h)); err != nil {
					return 0, err
				}
				s.l("never")
				return 0, nil
			}
			f := s.async(func(c *promise.Coroutine) {
				if _, err := promise.Await(c, promise.Async(context.Background(), s.loop, g)); err != nil {
					s.l("f", err)
				}
			})
			promise.Then(f, func(none) (none, error) { s.l("end"); return none{}, nil })
			s.count(5)
		},
	},
	{
		"an async function that is called in a microtask",
		`Promise.resolve().then(()=>{l('m');(async()=>{l('in');await 0;l('out')})();l('n')}).then(()=>l('next'));process.nextTick(()=>l('tick'))`,
		"tick;m;in;n;out;next;",
		func(s *player) {
			p := promise.Then(s.value(0), func(int) (int, error) {
				s.l("m")
				s.async(func(c *promise.Coroutine) { s.l("in"); s.await(c, 0); s.l("out") })
				s.l("n")
				return 0, nil
			})
			promise.Then(p, func(int) (int, error) { s.l("next"); return 0, nil })
			s.tick(func() { s.l("tick") })
		},
	},
	{
		"awaiting a promise that follows another",
		`(async()=>{await new Promise(r=>r(Promise.resolve()));l('followed')})();Promise.resolve().then(()=>l(1)).then(()=>l(2)).then(()=>l(3)).then(()=>l(4))`,
		"1;2;followed;3;4;",
		func(s *player) {
			s.async(func(c *promise.Coroutine) {
				p, r := promise.WithResolvers[int](s.loop)
				r.Follow(s.value(0))
				_, _ = promise.Await(c, p)
				s.l("followed")
			})
			s.count(4)
		},
	},
}

func TestCoroutinesKeepTheOrderOfAsyncFunctions(t *testing.T) {
	for _, script := range asyncScripts {
		t.Run(script.name, func(t *testing.T) {
			s := &player{}
			onALoop(t, func(loop *eventloop.Loop) {
				s.loop = loop
				script.play(s)
			})
			if got := s.log.String(); got != script.node {
				t.Errorf("%s\ngot  %s\nNode %s", script.js, got, script.node)
			}
		})
	}
}
