package contracts_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/internal/queue"
)

// What was scheduled before Run finds the whole first turn ahead of it. docs/design.md draws this order.
func TestOrderOfTheFirstTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log journal
		l := eventloop.New(eventloop.WithAutoExit())
		s := script{&log, t, l, false}
		s.immediate(s.does("check"))
		s.submit(s.does("external"))
		s.internal(s.does("internal"))
		s.timer(0, s.does("timers"))
		s.micro(s.does("microtask"))
		s.tick(s.does("tick"))
		must(t, l.Run(bounded(t)))
		log.expect(t, "tick microtask timers internal external check")
	})
}

func TestMicrotasksOfLoopAndOwnerAreOneQueue(t *testing.T) {
	var log journal
	runMain(t, func(l *eventloop.Loop) {
		for i := range 4 {
			must(t, l.ScheduleMicrotask(log.does(fmt.Sprint("loop", i))))
			must(t, adapter.Of(l).EnqueueJob(jobFunc(log.does(fmt.Sprint("job", i)))))
			adapter.Of(l).Enqueue(jobFunc(log.does(fmt.Sprint("owner", i))))
		}
	})
	log.expect(t, "loop0 job0 owner0 loop1 job1 owner1 loop2 job2 owner2 loop3 job3 owner3")
}

func TestTimersOfLoopAndOwnerAreOneSequence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log journal
		runMain(t, func(l *eventloop.Loop) {
			for i := range 3 {
				scheduled(t)(l.ScheduleTimer(time.Second, log.does(fmt.Sprint("loop", i))))
				scheduled(t)(l.Owner().ScheduleTimer(time.Second, log.does(fmt.Sprint("owner", i))))
			}
		})
		log.expect(t, "loop0 owner0 loop1 owner1 loop2 owner2")
	})
}

func TestAfterwardRunsWhenTicksAndMicrotasksAreDone(t *testing.T) {
	var log journal
	runMain(t, func(l *eventloop.Loop) {
		must(t, l.Submit(log.does("external")))
		adapter.Of(l).Afterward(jobFunc(func() {
			log.say("afterward1")
			must(t, l.ScheduleMicrotask(log.does("micro2")))
		}))
		adapter.Of(l).Afterward(jobFunc(log.does("afterward2")))
		must(t, l.ScheduleMicrotask(func() {
			log.say("micro1")
			must(t, l.NextTick(log.does("tick")))
		}))
	})
	log.expect(t, "micro1 tick afterward1 micro2 afterward2 external")
}

// An internal task is never behind more than the batch of external tasks in progress.
func TestInternalTaskOvertakesABacklogOfExternalTasks(t *testing.T) {
	const backlog = 10 * queue.BatchSize
	l := eventloop.New(eventloop.WithAutoExit())
	ran, overtaken := 0, -1
	for i := range backlog {
		must(t, l.Submit(func() {
			if ran++; i == 0 {
				must(t, l.SubmitInternal(func() { overtaken = backlog - ran }))
			}
		}))
	}
	must(t, l.Run(bounded(t)))
	if overtaken != backlog-queue.BatchSize {
		t.Errorf("the internal task overtook %d of %d external ones, want all but a batch of %d", overtaken, backlog, queue.BatchSize)
	}
}

// A phase runs what was there when it began, so tasks that breed tasks starve no other phase. Scheduling a timer
// through the Owner takes timers from the ingress, and must not take tasks into the phase in progress along with them.
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
					must(t, submit(breed))
					note := func() {
						if bredBefore < 0 {
							bredBefore = bred
						}
					}
					scheduled(t)(l.ScheduleTimer(0, note))
					scheduled(t)(l.Owner().ScheduleTimer(0, note))
				}
				must(t, submit(breed))
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
	await(t, "the relay", done)
	on(t, l, func() {
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
