package contracts_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/internal/queue"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// The whole first turn comes after work that was scheduled before Run. docs/design.md draws this order.
func TestOrderOfTheFirstTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log testkit.Journal
		l := eventloop.New(eventloop.WithAutoExit())
		s := script{&log, t, l, false}
		s.immediate(s.Does("check"))
		s.submit(s.Does("external"))
		s.internal(s.Does("internal"))
		s.timer(0, s.Does("timers"))
		s.micro(s.Does("microtask"))
		s.tick(s.Does("tick"))
		testkit.Must(t, l.Run(testkit.Bounded(t)))
		log.Expect(t, "tick microtask timers internal external check")
	})
}

func TestMicrotasksOfLoopAndOwnerAreOneQueue(t *testing.T) {
	var log testkit.Journal
	runMain(t, func(l *eventloop.Loop) {
		for i := range 4 {
			testkit.Must(t, l.ScheduleMicrotask(log.Does(fmt.Sprint("loop", i))))
			testkit.Must(t, adapter.Of(l).EnqueueJob(jobFunc(log.Does(fmt.Sprint("job", i)))))
			adapter.Of(l).Enqueue(jobFunc(log.Does(fmt.Sprint("owner", i))))
		}
	})
	log.Expect(t, "loop0 job0 owner0 loop1 job1 owner1 loop2 job2 owner2 loop3 job3 owner3")
}

func TestTimersOfLoopAndOwnerAreOneSequence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log testkit.Journal
		runMain(t, func(l *eventloop.Loop) {
			for i := range 3 {
				testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(time.Second, log.Does(fmt.Sprint("loop", i))))
				testkit.Scheduled[eventloop.Timer](t)(adapter.Of(l).ScheduleTimer(time.Second, log.Does(fmt.Sprint("owner", i))))
			}
		})
		log.Expect(t, "loop0 owner0 loop1 owner1 loop2 owner2")
	})
}

func TestAfterwardRunsWhenTicksAndMicrotasksAreDone(t *testing.T) {
	var log testkit.Journal
	runMain(t, func(l *eventloop.Loop) {
		testkit.Must(t, l.Submit(log.Does("external")))
		adapter.Of(l).Afterward(jobFunc(func() {
			log.Say("afterward1")
			testkit.Must(t, l.ScheduleMicrotask(log.Does("micro2")))
		}))
		adapter.Of(l).Afterward(jobFunc(log.Does("afterward2")))
		testkit.Must(t, l.ScheduleMicrotask(func() {
			log.Say("micro1")
			testkit.Must(t, l.NextTick(log.Does("tick")))
		}))
	})
	log.Expect(t, "micro1 tick afterward1 micro2 afterward2 external")
}

// An internal task is never behind more than the batch of external tasks in progress.
func TestInternalTaskOvertakesABacklogOfExternalTasks(t *testing.T) {
	const backlog = 10 * queue.BatchSize
	l := eventloop.New(eventloop.WithAutoExit())
	ran, overtaken := 0, -1
	for i := range backlog {
		testkit.Must(t, l.Submit(func() {
			if ran++; i == 0 {
				testkit.Must(t, l.SubmitInternal(func() { overtaken = backlog - ran }))
			}
		}))
	}
	testkit.Must(t, l.Run(testkit.Bounded(t)))
	if overtaken != backlog-queue.BatchSize {
		t.Errorf("the internal task overtook %d of %d external ones, want all but a batch of %d", overtaken, backlog, queue.BatchSize)
	}
}

// A phase runs only the callbacks that were queued when it began, so tasks that breed tasks starve no other phase.
// Scheduling a timer through the Owner takes timers from the ingress, and must not also take tasks into the phase in
// progress.
func TestPhaseThatBreedsItsOwnWorkEnds(t *testing.T) {
	for _, lane := range []string{"Submit", "SubmitInternal", "ScheduleImmediate"} {
		t.Run(lane, func(t *testing.T) {
			const generations = 100
			bred, bredBefore := 0, -1
			runMain(t, func(l *eventloop.Loop) {
				submit := map[string]func(func()) error{
					"Submit": l.Submit, "SubmitInternal": l.SubmitInternal, "ScheduleImmediate": l.ScheduleImmediate,
				}[lane]
				var breed func()
				breed = func() {
					if bred++; bred == generations {
						return
					}
					testkit.Must(t, submit(breed))
					note := func() {
						if bredBefore < 0 {
							bredBefore = bred
						}
					}
					testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(0, note))
					testkit.Scheduled[eventloop.Timer](t)(adapter.Of(l).ScheduleTimer(0, note))
				}
				testkit.Must(t, submit(breed))
			})
			if bred != generations || bredBefore != 1 {
				t.Errorf("timers that were due had to wait for %d generations of %d, want 1 of %d", bredBefore, bred, generations)
			}
		})
	}
}

func TestTasksOfGoroutinesWithAHappensBeforeEdgeAreFIFO(t *testing.T) {
	const tasks = 20_000
	l := running(t)
	var got []int
	relay := make(chan int)
	done := make(chan struct{})
	for range 4 { // goroutines that hand the next number on to each other
		go func() {
			for i := range relay {
				if err := l.Submit(func() { got = append(got, i) }); err != nil {
					t.Error(err)
				}
				if i+1 == tasks {
					close(relay)
					close(done)
					return
				}
				relay <- i + 1
			}
		}()
	}
	relay <- 0
	testkit.Await(t, "the relay", done)
	testkit.On(t, l, func() {
		for i, v := range got {
			if i != v {
				t.Fatalf("task %d ran in place %d", v, i)
			}
		}
		if len(got) != tasks {
			t.Errorf("%d tasks ran, want %d", len(got), tasks)
		}
	})
}
