package js_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/js"
)

func TestImmediateSetByATimerComesBeforeATimerSetByIt(t *testing.T) {
	scripted(t, func(s *script) {
		s.timeout(func() {
			s.timeout(s.say("timer"), 0)
			s.immediate(s.say("immediate"))
		}, 1)
	}, "immediate", "timer")
}

func TestImmediateSetByAnImmediateWaitsForTheNextTurn(t *testing.T) {
	scripted(t, func(s *script) {
		s.immediate(func() {
			s.say("a")()
			s.immediate(s.say("c"))
		})
		s.immediate(s.say("b"))
	}, "a", "b", "c")
}

func TestImmediatesAreClearedInTheMiddleOfTheirBatch(t *testing.T) {
	scripted(t, func(s *script) {
		var b, c *js.Immediate
		s.immediate(func() {
			s.say("a")()
			b.Close()
			_ = s.NextTick(func() { c.Close() })
		})
		b = s.immediate(s.say("b"))
		c = s.immediate(s.say("c"))
		s.immediate(func() { s.say("d")(); panic("the rest runs") })
		s.immediate(s.say("e"))
	}, "a", "d", "e")
}

func TestUnreferencedImmediateRunsOnlyInCompany(t *testing.T) {
	scripted(t, func(s *script) {
		m := s.immediate(s.say("in company"))
		m.Unref()
		if m.HasRef() {
			t.Error("HasRef after Unref")
		}
		s.immediate(func() {
			s.say("referenced")()
			s.immediate(s.say("never")).Unref()
		})
	}, "in company", "referenced")
}

func TestNumbersStandForTimersUntilTheyHaveRun(t *testing.T) {
	scripted(t, func(s *script) {
		a, _ := s.SetTimeout(s.say("a"), 5)
		b, _ := s.SetInterval(s.say("b"), 5)
		m, _ := s.SetImmediate(s.say("m"))
		if a == 0 || b == 0 || a == b || m == 0 {
			t.Errorf("numbers %d, %d and %d", a, b, m)
		}
		if !s.ClearTimeout(b) || s.ClearInterval(b) || s.ClearTimeout(0) || s.ClearTimeout(1<<60) {
			t.Error("an interval is cleared by ClearTimeout, once, and unknown numbers do nothing")
		}
		if !s.ClearImmediate(m) || s.ClearImmediate(m) {
			t.Error("an immediate is cleared once")
		}
		if s.Timer(a) == nil || s.Timer(b) != nil {
			t.Error("Timer finds what is pending, and nothing else")
		}
		s.timeout(func() {
			if s.ClearTimeout(a) {
				t.Error("a timer that has run can still be cleared")
			}
		}, 6)
	}, "a")
}

func TestTimersAreRefusedOnceTheLoopShutsDown(t *testing.T) {
	loop := eventloop.New()
	env := js.New(loop)
	if _, err := env.SetTimeout(func() {}, 1000); err != nil {
		t.Fatal(err)
	}
	_ = loop.Submit(func() {
		_ = loop.Shutdown(context.Background())
		if _, err := env.SetTimeout(func() {}, 2000); !errors.Is(err, eventloop.ErrLoopTerminated) {
			t.Errorf("SetTimeout: %v", err)
		}
		if _, err := env.SetImmediate(func() {}); !errors.Is(err, eventloop.ErrLoopTerminated) {
			t.Errorf("SetImmediate: %v", err)
		}
	})
	if err := loop.Run(context.Background()); err != nil {
		t.Error(err)
	}
	if _, err := env.SetTimeout(nil, 1); !errors.Is(err, inside.ErrNilCallback) {
		t.Errorf("SetTimeout(nil): %v", err)
	}
	if _, err := env.SetTimeout(func() {}, 1); !errors.Is(err, eventloop.ErrLoopTerminated) {
		t.Errorf("SetTimeout after the end: %v", err)
	}
}

func TestImmediateThatPanicsLastBringsTheNextBatchForward(t *testing.T) {
	// As in Node 20: the queue of remaining immediates is empty, so the other queue is taken.
	scripted(t, func(s *script) {
		s.immediate(func() {
			s.immediate(s.say("next batch"))
			s.timeout(s.say("timer"), 1)
			time.Sleep(2 * time.Millisecond)
			panic("last of its batch")
		})
	}, "next batch", "timer")
}

// A job is a callback that is an object.
type job func()

func (j job) Run() { j() }

func TestAnImmediateMayBePartOfAnotherObject(t *testing.T) {
	loop := eventloop.New(eventloop.WithAutoExit())
	env := js.New(loop)
	var holder struct{ kept, cleared js.Immediate }
	ran := ""
	for _, m := range []*js.Immediate{&holder.kept, &holder.cleared} {
		if err := env.Hooks().StartImmediate(m, job(func() { ran += "x" })); err != nil {
			t.Fatal(err)
		}
	}
	holder.cleared.Close()
	if !holder.kept.HasRef() || holder.cleared.HasRef() {
		t.Error("the immediate that waits has a reference, the one that was cleared has none")
	}
	if err := env.Hooks().StartImmediate(new(js.Immediate), nil); !errors.Is(err, inside.ErrNilCallback) {
		t.Errorf("no callback: %v", err)
	}
	if err := loop.Run(context.Background()); err != nil || ran != "x" {
		t.Errorf("ran %q, Run returned %v", ran, err)
	}
}
