package contracts_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

const (
	conservationProducers = 8
	conservationTasks     = 10_000
)

// A stampede has producers submit to a loop until it is refused, with stop called at a random point on the way.
type stampede struct {
	l        *eventloop.Loop
	accepted [conservationProducers]int // by producer
	last     [conservationProducers]int // the number of the task that ran last
	executed int                        // owner only, like last
}

// charge runs the producers to their end. Each counts its accepted tasks and stops at the first refusal, which must
// be final.
func (s *stampede) charge(t *testing.T, stop func()) {
	stopAt := rand.IntN(conservationTasks)
	var wg sync.WaitGroup
	for p := range conservationProducers {
		s.last[p] = -1
		wg.Go(func() {
			for i := range conservationTasks {
				if p == 0 && i == stopAt {
					go stop()
				}
				err := s.l.Submit(func() {
					if s.last[p]+1 != i {
						t.Errorf("producer %d: task %d ran after task %d", p, i, s.last[p])
					}
					s.last[p] = i
					s.executed++
				})
				if err == nil {
					s.accepted[p]++
					continue
				}
				if !errors.Is(err, eventloop.ErrLoopTerminated) {
					t.Errorf("Submit: %v", err)
				}
				if p == 0 && i < stopAt {
					go stop()
				}
				if s.l.Submit(func() { t.Error("a task ran that was submitted after a refusal") }) == nil {
					t.Error("Submit accepted a task after it had refused one")
				}
				return
			}
		})
	}
	wg.Wait()
}

func (s *stampede) check(t *testing.T, dropped int) {
	t.Helper()
	accepted := 0
	for p, n := range s.accepted {
		accepted += n
		if dropped == 0 && s.last[p] != n-1 {
			t.Errorf("producer %d: %d tasks accepted, the last to run was %d", p, n, s.last[p])
		}
	}
	if s.executed+dropped != accepted {
		t.Errorf("%d accepted, %d executed, %d dropped: %+d lost", accepted, s.executed, dropped, accepted-s.executed-dropped)
	}
}

// 200 shutdowns at random points of a stampede of 8 × 10,000 submissions: nothing lost, nothing doubled, each
// producer's tasks in order; also under -race. With -short, 20 of them.
func TestShutdownRacingProducersConservesTasks(t *testing.T) {
	for range testkit.Shortly(200) {
		s := &stampede{l: eventloop.New()}
		result := testkit.Launch(s.l)
		stopped := make(chan error, 1)
		s.charge(t, func() { stopped <- s.l.Shutdown(context.Background()) })
		testkit.Must(t, testkit.Await(t, "Shutdown", stopped))
		testkit.Must(t, testkit.Await(t, "Run", result))
		s.check(t, 0)
		if d := s.l.Dropped(); d != (eventloop.Dropped{}) {
			t.Errorf("a graceful shutdown dropped %+v", d)
		}
	}
}

func TestContextRacingProducersConservesTasks(t *testing.T) {
	for range testkit.Shortly(100) {
		s := &stampede{l: eventloop.New()}
		ctx, cancel := context.WithCancel(context.Background())
		result := make(chan error, 1)
		go func() { result <- s.l.Run(ctx) }()
		s.charge(t, cancel)
		if err := testkit.Await(t, "Run", result); !errors.Is(err, context.Canceled) {
			t.Errorf("Run: %v", err)
		}
		s.check(t, 0)
	}
}

func TestCloseRacingProducersCountsWhatItDrops(t *testing.T) {
	for range testkit.Shortly(200) {
		s := &stampede{l: eventloop.New()}
		result := testkit.Launch(s.l)
		s.charge(t, func() { testkit.Must(t, s.l.Close()) })
		err := testkit.Await(t, "Run", result)
		d := s.l.Dropped()
		if sums := fmt.Sprintf("dropping %d accepted callbacks", d.External); !errors.Is(err, eventloop.ErrLoopClosed) || !strings.Contains(err.Error(), sums) {
			t.Fatalf("Run: %v, want %q in it", err, sums)
		}
		s.check(t, d.External)
		if d != (eventloop.Dropped{External: d.External}) {
			t.Errorf("dropped %+v", d)
		}
	}
}

// A loop that ends by itself as soon as it finds nothing to do, once a keep-alive token is released in the middle of
// the stampede.
func TestAutoExitRacingProducersConservesTasks(t *testing.T) {
	for range testkit.Shortly(200) {
		s := &stampede{l: eventloop.New(eventloop.WithAutoExit())}
		token, err := s.l.KeepAlive()
		testkit.Must(t, err)
		result := testkit.Launch(s.l)
		s.charge(t, func() { token() })
		testkit.Must(t, testkit.Await(t, "Run", result))
		s.check(t, 0)
	}
}

// Every way to submit work runs against every way to end, and accepted callbacks schedule more work.
func TestEndRacingEveryKindOfWork(t *testing.T) {
	for _, graceful := range []bool{true, false} {
		t.Run(fmt.Sprintf("graceful=%v", graceful), func(t *testing.T) {
			for range testkit.Scale(300) {
				l := eventloop.New()
				var mu sync.Mutex
				accepted, executed := map[string]int{}, map[string]int{}
				submit := func(kind string, schedule func(func()) error, then func()) {
					if err := schedule(func() {
						executed[kind]++ // on the loop only
						if then != nil {
							then()
						}
					}); err == nil {
						mu.Lock()
						accepted[kind]++
						mu.Unlock()
					} else if !errors.Is(err, eventloop.ErrLoopTerminated) {
						t.Errorf("%s: %v", kind, err)
					}
				}
				jobs := func() {
					submit("tick", l.NextTick, nil)
					submit("micro", l.ScheduleMicrotask, func() { submit("internal", l.SubmitInternal, nil) })
				}
				var wg sync.WaitGroup
				for range 4 {
					wg.Go(func() {
						for range 200 {
							submit("external", l.Submit, jobs)
							submit("internal", l.SubmitInternal, jobs)
							submit("immediate", l.ScheduleImmediate, jobs)
							jobs()
						}
					})
				}
				result := testkit.Launch(l)
				testkit.On(t, l, func() {})    // it runs
				for range rand.IntN(100_000) { // a random moment, without sleeping
				}
				if graceful {
					testkit.Must(t, l.Shutdown(testkit.Bounded(t)))
				} else {
					testkit.Must(t, l.Close())
				}
				wg.Wait()
				testkit.Await(t, "Run", result)
				d := l.Dropped()
				for kind, dropped := range map[string]int{
					"external": d.External, "internal": d.Internal, "immediate": d.Immediates, "tick": d.Ticks, "micro": d.Microtasks,
				} {
					if accepted[kind] != executed[kind]+dropped || graceful && dropped > 0 {
						t.Errorf("%s: %d accepted, %d executed, %d dropped", kind, accepted[kind], executed[kind], dropped)
					}
				}
			}
		})
	}
}

func TestShutdownWithAnEndedContextOnlyBeginsIt(t *testing.T) {
	l := eventloop.New()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var err, refused error
	ran := false
	_ = l.Submit(func() {
		_ = l.Submit(func() { ran = true })
		err = l.Shutdown(ctx)
		refused = l.Submit(func() {})
	})
	if got := l.Run(context.Background()); got != nil {
		t.Errorf("Run returned %v", got)
	}
	if !errors.Is(err, context.Canceled) || !errors.Is(refused, eventloop.ErrLoopTerminated) || !ran {
		t.Errorf("Shutdown returned %v, Submit after it %v; the task before it ran: %v", err, refused, ran)
	}
}
