package contracts_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// orders are scripts in the manner of Node's: main runs as an external task, and the loop ends when nothing is left.
// Each runs twice, with every microtask and timer scheduled through the loop and through its Owner: the order is one.
var orders = []struct {
	name string
	main func(t *testing.T, s script)
	want string
}{
	{"the phases of a turn", func(t *testing.T, s script) {
		// Everything is scheduled by one external callback. Phases that its turn still has run in that turn, the rest
		// in the next.
		s.Say("main")
		s.timer(0, s.Does("timer"))
		s.submit(s.Does("external"))
		s.internal(s.Does("internal"))
		s.immediate(s.Does("immediate"))
		s.micro(s.Does("micro"))
		s.tick(s.Does("tick"))
	}, "main tick micro immediate timer internal external"},

	{"ticks run before microtasks, whichever was scheduled first", func(t *testing.T, s script) {
		s.micro(s.Does("micro1"))
		s.tick(s.Does("tick1"))
		s.micro(s.Does("micro2"))
		s.tick(s.Does("tick2"))
	}, "tick1 tick2 micro1 micro2"},

	{"a tick that a tick schedules runs before the microtasks", func(t *testing.T, s script) {
		s.micro(s.Does("micro"))
		s.tick(func() { s.Say("tick1"); s.tick(s.Does("tick2")) })
	}, "tick1 tick2 micro"},

	{"a tick that a microtask schedules waits for the microtasks", func(t *testing.T, s script) {
		s.micro(func() { s.Say("micro1"); s.tick(s.Does("tick")); s.micro(s.Does("micro3")) })
		s.micro(s.Does("micro2"))
	}, "micro1 micro2 micro3 tick"},

	{"ticks and microtasks alternate until both are empty", func(t *testing.T, s script) {
		s.submit(s.Does("external"))
		s.tick(func() {
			s.Say("tick1")
			s.micro(func() {
				s.Say("micro1")
				s.tick(func() { s.Say("tick2"); s.micro(s.Does("micro2")) })
			})
		})
	}, "tick1 micro1 tick2 micro2 external"},

	{"a checkpoint follows every callback of every phase", func(t *testing.T, s script) {
		noisy := func(name string) func() {
			return func() { s.Say(name); s.micro(s.Does(name + "m")); s.tick(s.Does(name + "t")) }
		}
		for _, n := range []string{"1", "2"} {
			s.timer(0, noisy("timer"+n))
			s.internal(noisy("internal" + n))
			s.submit(noisy("external" + n))
			s.immediate(noisy("immediate" + n))
		}
	}, "immediate1 immediate1t immediate1m immediate2 immediate2t immediate2m " +
		"timer1 timer1t timer1m timer2 timer2t timer2m internal1 internal1t internal1m internal2 internal2t internal2m " +
		"external1 external1t external1m external2 external2t external2m"},

	{"an immediate that an immediate schedules runs in the next turn", func(t *testing.T, s script) {
		s.immediate(func() {
			s.Say("immediate1")
			s.immediate(s.Does("immediate3"))
			s.submit(s.Does("external"))
			s.timer(0, s.Does("timer"))
		})
		s.immediate(s.Does("immediate2"))
	}, "immediate1 immediate2 timer external immediate3"},

	{"an external task that an external task submits runs in the next turn", func(t *testing.T, s script) {
		s.submit(func() {
			s.Say("external1")
			s.submit(s.Does("external2"))
			s.internal(s.Does("internal"))
			s.timer(0, s.Does("timer"))
			s.immediate(s.Does("immediate"))
		})
	}, "external1 immediate timer internal external2"},

	{"an internal task that an internal task submits waits for the external ones", func(t *testing.T, s script) {
		s.submit(s.Does("external"))
		s.internal(func() { s.Say("internal1"); s.internal(s.Does("internal2")) })
	}, "internal1 external internal2"},

	{"a phase runs all that was there when it began, also what an earlier phase of the turn added", func(t *testing.T, s script) {
		s.submit(s.Does("external1"))
		s.internal(s.Does("internal1"))
		s.timer(0, func() {
			s.Say("timer")
			s.submit(s.Does("external2"))
			s.internal(func() { s.Say("internal2"); s.submit(s.Does("external3")) })
			s.immediate(s.Does("immediate"))
		})
	}, "timer internal1 internal2 external1 external2 external3 immediate"},

	{"a timer that a timer schedules with no delay runs in the next turn", func(t *testing.T, s script) {
		s.timer(0, func() {
			s.Say("timer1")
			s.timer(0, s.Does("timer3"))
			s.immediate(s.Does("immediate"))
			s.submit(s.Does("external"))
			s.internal(s.Does("internal"))
		})
		s.timer(0, s.Does("timer2"))
	}, "timer1 timer2 internal external immediate timer3"},

	{"timers with equal deadlines run in the order of scheduling", func(t *testing.T, s script) {
		s.timer(time.Second, s.Does("b"))
		s.timer(time.Millisecond, s.Does("a"))
		s.timer(time.Second, s.Does("c"))
		s.timer(0, func() { s.timer(time.Second, s.Does("d")) })
	}, "a b c d"},

	{"the clock of a timers phase stands still", func(t *testing.T, s script) {
		// The second timer falls due while the first runs: it waits until the other phases had their turn.
		s.timer(time.Millisecond, func() { s.Say("timer1"); time.Sleep(2 * time.Millisecond); s.submit(s.Does("external")) })
		s.timer(2*time.Millisecond, s.Does("timer2"))
	}, "timer1 external timer2"},

	{"a timer that an earlier one of the phase stops does not run", func(t *testing.T, s script) {
		var second eventloop.Timer
		s.timer(time.Millisecond, func() {
			if !second.Stop() {
				t.Error("a due timer that has not run was not stopped")
			}
			s.Say("timer1")
		})
		second = s.timer(time.Millisecond, s.Does("timer2"))
		s.timer(time.Millisecond, s.Does("timer3"))
	}, "timer1 timer3"},

	{"Node's setTimeout, setImmediate, nextTick and promise riddle", func(t *testing.T, s script) {
		s.Say("start")
		s.timer(0, func() {
			s.Say("timeout")
			s.micro(s.Does("timeout-promise"))
			s.tick(s.Does("timeout-tick"))
		})
		s.immediate(func() {
			s.Say("immediate")
			s.micro(func() { s.Say("immediate-promise"); s.tick(s.Does("promise-tick")) })
			s.tick(s.Does("immediate-tick"))
		})
		s.micro(func() { s.Say("promise"); s.micro(s.Does("promise-promise")) })
		s.tick(func() { s.Say("tick"); s.tick(s.Does("tick-tick")) })
		s.Say("end")
	}, "start end tick tick-tick promise promise-promise immediate immediate-tick immediate-promise promise-tick " +
		"timeout timeout-tick timeout-promise"},
}

func TestOrderOfCallbacksIsNodes(t *testing.T) {
	for _, o := range orders {
		for _, via := range []string{"Loop", "Owner"} {
			t.Run(o.name+"/"+via, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var log testkit.Journal
					runMain(t, func(l *eventloop.Loop) { o.main(t, script{&log, t, l, via == "Owner"}) })
					log.Expect(t, o.want)
				})
			})
		}
	}
}

// A script is the tool of an order test's main function.
type script struct {
	*testkit.Journal
	t     *testing.T
	l     *eventloop.Loop
	owner bool
}

func (s script) submit(fn func())    { testkit.Must(s.t, s.l.Submit(fn)) }
func (s script) internal(fn func())  { testkit.Must(s.t, s.l.SubmitInternal(fn)) }
func (s script) immediate(fn func()) { testkit.Must(s.t, s.l.ScheduleImmediate(fn)) }
func (s script) tick(fn func())      { testkit.Must(s.t, s.l.NextTick(fn)) }

func (s script) micro(fn func()) {
	if s.owner {
		adapter.Of(s.l).Enqueue(jobFunc(fn))
		return
	}
	testkit.Must(s.t, s.l.ScheduleMicrotask(fn))
}

func (s script) timer(delay time.Duration, fn func()) eventloop.Timer {
	if s.owner {
		return testkit.Scheduled[eventloop.Timer](s.t)(adapter.Of(s.l).ScheduleTimer(delay, fn))
	}
	return testkit.Scheduled[eventloop.Timer](s.t)(s.l.ScheduleTimer(delay, fn))
}
