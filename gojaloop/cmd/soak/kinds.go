package main

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
)

// millis is a random time below n milliseconds.
func millis(n int) time.Duration { return rand.N(time.Duration(n) * time.Millisecond) }

// tasks come in every lane, and some cause others.
func (s *load) tasks(k *ledger) {
	var ends sync.WaitGroup
	l := s.loop()
	ways := []func(func()) error{l.Submit, l.SubmitInternal, l.ScheduleImmediate, adapter.Of(l).ScheduleClose, l.NextTick, l.ScheduleMicrotask}
	var begin func(nest bool)
	begin = func(nest bool) {
		it := k.begin(&ends)
		err := ways[rand.IntN(len(ways))](func() {
			if nest {
				begin(false)
			}
			it.end()
			s.fault(l)
		})
		k.check(err == nil, "refused: %v", err)
	}
	for range 100 {
		begin(rand.IntN(10) == 0)
	}
	ends.Wait()
}

// timers are scheduled from outside, and either fire or have been stopped before.
func (s *load) timers(k *ledger) {
	var ends sync.WaitGroup
	l := s.loop()
	for range 50 {
		it := k.begin(&ends)
		t, err := l.ScheduleTimer(millis(10), func() { it.end(); s.fault(l) })
		k.check(err == nil, "refused: %v", err)
		if rand.IntN(8) == 0 {
			time.Sleep(millis(2))
		}
		switch rand.IntN(4) {
		case 0:
			if t.Stop() {
				it.end()
			}
		case 1:
			if l.CancelTimer(t) {
				it.end()
			}
		}
	}
	ends.Wait()
}

// rearmed are timers that callbacks reset, refresh and stop, a few times each.
func (s *load) rearmed(k *ledger) {
	var ends sync.WaitGroup
	l := s.loop()
	for range 20 {
		it := k.begin(&ends)
		armed, left := false, 1+rand.IntN(4)
		var t eventloop.Timer
		arm := func(by func() error) {
			armed = true
			err := by()
			k.check(err == nil, "not armed: %v", err)
		}
		reset := func() error { return t.Reset(millis(5)) }
		t = l.NewTimer(func() {
			k.check(armed, "a timer fired that was not armed")
			armed = false
			if left--; left == 0 {
				l.CancelTimer(t)
				it.end()
				s.fault(l)
				return
			}
			arm(reset)
			switch rand.IntN(3) {
			case 0:
				arm(reset)
			case 1:
				k.check(t.Stop(), "Stop of an armed timer was false")
				arm(reset)
			}
		})
		err := l.Submit(func() { arm(reset) })
		k.check(err == nil, "refused: %v", err)
	}
	ends.Wait()
}

// repeats tick a few times, and never after they were stopped.
func (s *load) repeats(k *ledger) {
	var ends sync.WaitGroup
	l := s.loop()
	for range 5 {
		it := k.begin(&ends)
		left := 5
		var t eventloop.Timer
		missed := []eventloop.MissedTicks{eventloop.SkipMissed, eventloop.CatchUpMissed, eventloop.DelayMissed}
		t = l.NewTicker(missed[rand.IntN(3)], func() {
			if left--; left <= 0 {
				k.check(l.CancelTimer(t), "a repeating timer was not pending in its callback")
				it.end() // it counts if there is another tick
				s.fault(l)
			}
		})
		err := t.Reset(time.Millisecond + millis(2))
		k.check(err == nil, "not armed: %v", err)
	}
	ends.Wait()
}

// lives are loops that run while others submit to them, and are shut down, or closed, amid that.
func (s *load) lives(k *ledger) {
	var ends sync.WaitGroup
	it := k.begin(&ends)
	l := s.start()
	var accepted, ran atomic.Int64
	var submitters sync.WaitGroup
	for range 3 {
		submitters.Add(1)
		go func() {
			defer submitters.Done()
			for range 100 {
				if l.Submit(func() { ran.Add(1); s.fault(l) }) == nil {
					accepted.Add(1)
				}
			}
		}()
	}
	time.Sleep(millis(1))
	dropped := 0
	if rand.IntN(2) == 0 {
		err := l.Shutdown(context.Background())
		k.check(err == nil, "Shutdown: %v", err)
	} else {
		err := l.Close()
		k.check(err == nil, "Close: %v", err)
	}
	<-l.Done()
	submitters.Wait()
	dropped = l.Dropped().External
	k.check(accepted.Load() == ran.Load()+int64(dropped), "%d accepted, %d ran, %d dropped", accepted.Load(), ran.Load(), dropped)
	it.end()
	ends.Wait()
}
