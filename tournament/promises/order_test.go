package promises_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/tournament/promises"
	"github.com/eventloop-go/eventloop/tournament/promises/design"
)

func TestDesignsAreDescribedAndNamedApart(t *testing.T) {
	seen := make(map[string]bool)
	for _, d := range promises.All() {
		if d.Name == "" || strings.ContainsAny(d.Name, " /") || seen[d.Name] {
			t.Errorf("name %q", d.Name)
		}
		if d.About == "" || strings.Contains(d.About, "\n") {
			t.Errorf("%s: not described in one line", d.Name)
		}
		seen[d.Name] = true
		for _, c := range design.Capabilities() {
			if !c.In(d.New(eventloop.New())) {
				t.Errorf("%s has no %s", d.Name, c.Name)
			}
		}
	}
	if len(seen) != 5 {
		t.Errorf("%d designs", len(seen))
	}
}

// A script is the tool of a case of the order test: it logs words.
type script struct {
	e    design.Engine
	loop *eventloop.Loop
	log  []string
}

func (s *script) say(word string) { s.log = append(s.log, word) }

// then attaches a handler that says a word and returns 1.
func (s *script) then(p design.Promise, word string) design.Promise {
	return s.e.Then(p, func(any) (any, error) { s.say(word); return 1, nil }, nil)
}

func TestHandlersRunAsMicrotasksInTheOrderOfJavaScript(t *testing.T) {
	for _, c := range []struct {
		name, want string
		run        func(s *script)
	}{
		{"attached before settling", "sync a b c", func(s *script) {
			p, r := s.e.Pending()
			s.then(p, "a")
			s.then(p, "b")
			s.then(p, "c")
			r.Resolve(1)
			s.say("sync")
		}},
		{"attached after settling", "sync a b c", func(s *script) {
			p := s.e.Resolved(1)
			s.then(p, "a")
			s.then(p, "b")
			s.then(p, "c")
			s.say("sync")
		}},
		{"attached before and after settling", "a b c d", func(s *script) {
			p, r := s.e.Pending()
			s.then(p, "a")
			s.then(p, "b")
			r.Resolve(1)
			s.then(p, "c")
			s.then(p, "d")
		}},
		{"attached by a handler of the same promise", "a b c d", func(s *script) {
			p, r := s.e.Pending()
			s.e.Then(p, func(any) (any, error) {
				s.say("a")
				s.then(p, "c")
				s.then(p, "d")
				return nil, nil
			}, nil)
			s.then(p, "b")
			r.Resolve(1)
		}},
		{"two promises settled in turn", "a b c d", func(s *script) {
			p, rp := s.e.Pending()
			q, rq := s.e.Pending()
			s.then(q, "c")
			s.then(p, "a")
			s.then(q, "d")
			s.then(p, "b")
			rp.Resolve(1)
			rq.Resolve(1)
		}},
		{"two chains take turns", "a1 b1 a2 b2 a3 b3", func(s *script) {
			s.then(s.then(s.then(s.e.Resolved(1), "a1"), "a2"), "a3")
			s.then(s.then(s.then(s.e.Resolved(1), "b1"), "b2"), "b3")
		}},
		{"microtasks of others in between", "a m b", func(s *script) {
			p := s.e.Resolved(1)
			s.then(p, "a")
			_ = s.loop.ScheduleMicrotask(func() { s.say("m") })
			s.then(p, "b")
		}},
		{"a returned promise takes two more microtasks", "a b1 b2 b3 followed b4", func(s *script) {
			inner := s.e.Resolved(1)
			s.then(s.e.Then(s.e.Resolved(1), func(any) (any, error) { s.say("a"); return inner, nil }, nil), "followed")
			s.then(s.then(s.then(s.then(s.e.Resolved(1), "b1"), "b2"), "b3"), "b4")
		}},
		{"resolving with a promise takes two microtasks", "a b followed c", func(s *script) {
			p, r := s.e.Pending()
			r.Resolve(s.e.Resolved(1))
			s.then(p, "followed")
			s.then(s.then(s.then(s.e.Resolved(1), "a"), "b"), "c")
		}},
		{"rejections pass through one microtask at a time", "a b caught c", func(s *script) {
			p, r := s.e.Pending()
			q := s.then(s.then(p, "never"), "never")
			s.e.Then(q, nil, func(error) (any, error) { s.say("caught"); return nil, nil })
			r.Reject(errOops)
			s.then(s.then(s.then(s.e.Resolved(1), "a"), "b"), "c")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			each(t, func(t *testing.T, d design.Design) {
				s := &script{}
				drain(t, d, func(loop *eventloop.Loop, e design.Engine) {
					s.e, s.loop = e, loop
					c.run(s)
				})
				if want := strings.Fields(c.want); !slices.Equal(s.log, want) {
					t.Errorf("%v, want %v", s.log, want)
				}
			})
		})
	}
}

func TestAHandlerThatClosesTheLoopIsTheLast(t *testing.T) {
	each(t, func(t *testing.T, d design.Design) {
		loop := newLoop()
		var ran []int
		_ = loop.Submit(func() {
			e := d.New(loop)
			p, r := e.Pending()
			for i := range 5 {
				e.Then(p, func(any) (any, error) {
					ran = append(ran, i)
					if i == 1 {
						_ = loop.Close()
					}
					return nil, nil
				}, nil)
			}
			r.Resolve(1)
		})
		_ = loop.Run(t.Context())
		if !slices.Equal(ran, []int{0, 1}) || loop.Dropped().Microtasks != 3 {
			t.Errorf("%v ran, %d dropped", ran, loop.Dropped().Microtasks)
		}
	})
}

func TestPromisesSettleWithoutTheLoopWhenThatHasEnded(t *testing.T) {
	each(t, func(t *testing.T, d design.Design) {
		loop := newLoop(eventloop.WithAutoExit())
		e := d.New(loop)
		if err := loop.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		never := func(any) (any, error) { t.Error("a handler ran"); return nil, nil }
		p, r := e.Pending()
		e.Then(p, never, nil)
		e.Then(p, never, nil)
		if !r.Resolve(1) || r.Resolve(2) {
			t.Error("settled other than once")
		}
		e.Then(p, never, nil)
		q, r := e.Pending()
		r.Resolve(p)
		e.Then(q, never, nil)
	})
}
