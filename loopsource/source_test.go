package loopsource_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
	"github.com/eventloop-go/eventloop/loopsource"
)

func newSource[T any](t *testing.T, l *eventloop.Loop, capacity int, full loopsource.WhenFull, handle func(T)) *loopsource.Source[T] {
	t.Helper()
	s, err := loopsource.New(l, capacity, full, handle)
	testkit.Must(t, err)
	return s
}

func TestSourceDeliversInOrderWithMicrotasksAfterEachEvent(t *testing.T) {
	for _, capacity := range []int{0, 200} {
		l := eventloop.New(eventloop.WithAutoExit())
		var got []int
		var s *loopsource.Source[int]
		s = newSource(t, l, capacity, loopsource.Wait, func(n int) {
			got = append(got, n)
			testkit.Must(t, l.ScheduleMicrotask(func() { got = append(got, -n) }))
			if n == 199 {
				s.Close()
			}
		})
		var want []int
		for n := range 200 {
			testkit.Must(t, s.TrySend(n))
			want = append(want, n, -n)
		}
		testkit.Must(t, l.Run(testkit.Bounded(t)))
		if !slices.Equal(got, want) {
			t.Errorf("capacity %d: got %v", capacity, got)
		}
		if st := s.Stats(); st != (loopsource.Stats{Sent: 200, Delivered: 200}) {
			t.Errorf("%+v", st)
		}
	}
}

func TestSourceThatIsFullDropsByItsRule(t *testing.T) {
	for full, want := range map[loopsource.WhenFull][]int{loopsource.DropOldest: {3, 4}, loopsource.DropNewest: {0, 1}, loopsource.Wait: {0, 1}} {
		l := eventloop.New(eventloop.WithAutoExit())
		var got []int
		s := newSource(t, l, 2, full, func(n int) { got = append(got, n) })
		for n := range 5 {
			if err := s.TrySend(n); err != nil && (full != loopsource.Wait || !errors.Is(err, eventloop.ErrQueueFull)) {
				t.Errorf("rule %d: %v", full, err)
			}
		}
		s.Close()
		testkit.Must(t, l.Run(testkit.Bounded(t)))
		st := s.Stats()
		if !slices.Equal(got, want) || st.Dropped+st.Refused != 3 || st.Sent != st.Delivered+st.Dropped {
			t.Errorf("rule %d: got %v, %+v", full, got, st)
		}
	}
}

func TestSendersThatWaitAreServedInOrderAndCanGiveUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := eventloop.New()
		var got []int
		s := newSource(t, l, 1, loopsource.Wait, func(n int) { got = append(got, n) })
		testkit.Must(t, s.Send(t.Context(), 0))
		for n := 1; n <= 4; n++ {
			ctx := t.Context()
			if n == 2 {
				limited, cancel := context.WithTimeoutCause(ctx, time.Second, errGivenUp)
				defer cancel()
				ctx = limited
			}
			go func() {
				if err := s.Send(ctx, n); n != 2 && err != nil {
					t.Error(err)
				} else if n == 2 {
					matches(t, "Send", err, context.DeadlineExceeded, errGivenUp, eventloop.ErrLoopNotRunning)
				}
			}()
			synctest.Wait()
		}
		if st := s.Stats(); st.Senders != 4 || st.Queued != 1 {
			t.Errorf("%+v", st)
		}
		time.Sleep(2 * time.Second)
		result := make(chan error)
		go func() { result <- l.Run(context.Background()) }()
		synctest.Wait()
		testkit.Must(t, l.Shutdown(t.Context()))
		testkit.Must(t, <-result)
		if want := []int{0, 1, 3, 4}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if st := s.Stats(); st != (loopsource.Stats{Sent: 4, Delivered: 4, Refused: 1}) {
			t.Errorf("%+v", st)
		}
		if err := s.Send(t.Context(), 9); !errors.Is(err, eventloop.ErrLoopTerminated) {
			t.Errorf("after the end: %v", err)
		}
		<-s.Done()
	})
}

func TestSendersThatWaitAreToldOfTheEnd(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(*eventloop.Loop, *loopsource.Source[int])
		want error
	}{
		"source closed": {func(_ *eventloop.Loop, s *loopsource.Source[int]) { s.Close(); s.Close() }, loopsource.ErrClosed},
		"loop closed":   {func(l *eventloop.Loop, _ *loopsource.Source[int]) { _ = l.Close() }, eventloop.ErrLoopTerminated},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := eventloop.New()
				s := newSource(t, l, 1, loopsource.Wait, func(int) { t.Error("it ran") })
				testkit.Must(t, s.TrySend(1))
				result := make(chan error)
				go func() { result <- s.Send(context.Background(), 2) }()
				synctest.Wait()
				c.end(l, s)
				matches(t, "Send", <-result, c.want)
				<-s.Done()
				matches(t, "TrySend", s.TrySend(3), c.want)
				_ = l.Close()
				synctest.Wait()
				if st := s.Stats(); st != (loopsource.Stats{Sent: 1, Dropped: 1, Refused: 2}) {
					t.Errorf("%+v", st)
				}
			})
		})
	}
}

func TestSendOnTheLoopToAFullSourceIsAnError(t *testing.T) {
	runMain(t, func(l *eventloop.Loop) {
		s := newSource(t, l, 1, loopsource.Wait, func(int) {})
		testkit.Must(t, s.Send(context.Background(), 1))
		if err := s.Send(context.Background(), 2); !errors.Is(err, eventloop.ErrOnLoop) {
			t.Errorf("Send: %v", err)
		}
		if err := s.Send(testkit.Ended(), 2); !errors.Is(err, context.Canceled) {
			t.Errorf("Send with a context that has ended: %v", err)
		}
		s.Close()
	})
}

// A source runs 64 events before other work has its turn.
func TestSourceGivesOtherWorkItsTurn(t *testing.T) {
	const sourceBatch = 64
	l := eventloop.New(eventloop.WithAutoExit())
	ran := 0
	s := newSource(t, l, 0, loopsource.Wait, func(int) { ran++ })
	for n := range 10 * sourceBatch {
		testkit.Must(t, s.TrySend(n))
	}
	var at []int
	look := func() { at = append(at, ran) }
	testkit.Must(t, l.Submit(func() {
		look()
		testkit.Must(t, l.SubmitInternal(look))
		testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(0, look))
		s.Close()
	}))
	testkit.Must(t, l.Run(testkit.Bounded(t)))
	if len(at) != 3 || at[0] != sourceBatch || at[2] > 2*sourceBatch || ran != 10*sourceBatch {
		t.Errorf("other work ran behind %v events, of %d", at, ran)
	}
}

func TestEventThatEndsBadlyLosesNoOther(t *testing.T) {
	for _, e := range endings {
		t.Run(e.name, func(t *testing.T) {
			var errs heard
			l := eventloop.New(eventloop.WithAutoExit(), errs.option())
			var got []int
			s := newSource(t, l, 0, loopsource.Wait, func(n int) {
				got = append(got, n)
				if n == 1 {
					e.end()
				}
			})
			for n := range 3 {
				testkit.Must(t, s.TrySend(n))
			}
			s.Close()
			testkit.Await(t, "Run", testkit.Launch(l))
			testkit.Await(t, "Done", l.Done())
			if !slices.Equal(got, []int{0, 1, 2}) || len(errs) != 1 {
				t.Errorf("got %v, heard %v", got, errs)
			}
		})
	}
}

func TestSourceKeepsTheLoopOpenUnlessUnref(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := eventloop.New(eventloop.WithAutoExit())
		s := newSource(t, l, 1, loopsource.Wait, func(int) {})
		result := make(chan error, 1)
		go func() { result <- l.Run(context.Background()) }()
		synctest.Wait()
		if len(result) != 0 {
			t.Fatal("the loop ended")
		}
		s.Unref()
		testkit.Must(t, <-result)
		s.Ref()
		<-s.Done()
	})
	if _, err := loopsource.New[int](eventloop.New(), 1, loopsource.Wait, nil); !errors.Is(err, eventloop.ErrInvalid) {
		t.Errorf("nil callback: %v", err)
	}
	if _, err := loopsource.New(new(eventloop.Loop), 1, loopsource.Wait, func(int) {}); !errors.Is(err, eventloop.ErrInvalid) {
		t.Errorf("zero loop: %v", err)
	}
}

// Accepted means executed, and first in, first out, with producers, a shutdown and a Close that race.
func TestManyProducersShareASource(t *testing.T) {
	for _, end := range []string{"Shutdown", "Source.Close"} {
		for range 20 {
			l := eventloop.New(eventloop.WithQueueLimit(4))
			result := testkit.Launch(l)
			const producers = 6
			sent, got := [producers]int{}, [producers]int{}
			s := newSource(t, l, 8, loopsource.Wait, func(e [2]int) {
				if got[e[0]] != e[1] {
					t.Errorf("event %d of producer %d ran as number %d", e[1], e[0], got[e[0]])
				}
				got[e[0]]++
			})
			var group sync.WaitGroup
			for p := range producers {
				group.Go(func() {
					for s.Send(context.Background(), [2]int{p, sent[p]}) == nil {
						sent[p]++
						if p == 0 && sent[p] == 100 {
							if end == "Shutdown" {
								_ = l.Shutdown(testkit.Ended())
							} else {
								s.Close()
							}
						}
						runtime.Gosched()
					}
				})
			}
			group.Wait()
			if end == "Source.Close" {
				if n := testkit.Room(t, l, eventloop.ErrQueueFull); n != 4 {
					t.Errorf("there is room for %d tasks, the limit is 4", n)
				}
			}
			testkit.Must(t, l.Shutdown(testkit.Bounded(t)))
			testkit.Must(t, testkit.Await(t, "Run", result))
			if sent != got {
				t.Fatalf("%s: sent %v, got %v", end, sent, got)
			}
		}
	}
}

var errGivenUp = errors.New("the sender has given up")

func matches(t *testing.T, what string, err error, wanted ...error) {
	t.Helper()
	for _, want := range wanted {
		if !errors.Is(err, want) {
			t.Errorf("%s: %v does not match %v", what, err, want)
		}
	}
}
