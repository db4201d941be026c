package contracts_test

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
)

func newSource[T any](t *testing.T, l *eventloop.Loop, capacity int, full eventloop.WhenFull, handle func(T)) *eventloop.Source[T] {
	t.Helper()
	s, err := eventloop.NewSource(l, capacity, full, handle)
	must(t, err)
	return s
}

func TestSourceDeliversInOrderWithMicrotasksAfterEachEvent(t *testing.T) {
	for _, capacity := range []int{0, 200} {
		l := eventloop.New(eventloop.WithAutoExit())
		var got []int
		var s *eventloop.Source[int]
		s = newSource(t, l, capacity, eventloop.Wait, func(n int) {
			got = append(got, n)
			must(t, l.ScheduleMicrotask(func() { got = append(got, -n) }))
			if n == 199 {
				s.Close()
			}
		})
		var want []int
		for n := range 200 {
			must(t, s.TrySend(n))
			want = append(want, n, -n)
		}
		must(t, l.Run(bounded(t)))
		if !slices.Equal(got, want) {
			t.Errorf("capacity %d: got %v", capacity, got)
		}
		if st := s.Stats(); st != (eventloop.SourceStats{Sent: 200, Delivered: 200}) {
			t.Errorf("%+v", st)
		}
	}
}

func TestSourceThatIsFullDropsByItsRule(t *testing.T) {
	for full, want := range map[eventloop.WhenFull][]int{eventloop.DropOldest: {3, 4}, eventloop.DropNewest: {0, 1}, eventloop.Wait: {0, 1}} {
		l := eventloop.New(eventloop.WithAutoExit())
		var got []int
		s := newSource(t, l, 2, full, func(n int) { got = append(got, n) })
		for n := range 5 {
			if err := s.TrySend(n); err != nil && (full != eventloop.Wait || !errors.Is(err, eventloop.ErrQueueFull)) {
				t.Errorf("rule %d: %v", full, err)
			}
		}
		s.Close()
		must(t, l.Run(bounded(t)))
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
		s := newSource(t, l, 1, eventloop.Wait, func(n int) { got = append(got, n) })
		must(t, s.Send(t.Context(), 0))
		for n := 1; n <= 4; n++ {
			ctx := t.Context()
			if n == 2 {
				limited, cancel := context.WithTimeoutCause(ctx, time.Second, errReason)
				defer cancel()
				ctx = limited
			}
			go func() {
				if err := s.Send(ctx, n); n != 2 && err != nil {
					t.Error(err)
				} else if n == 2 {
					matches(t, "Send", err, context.DeadlineExceeded, errReason, eventloop.ErrLoopNotRunning)
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
		must(t, l.Shutdown(t.Context()))
		must(t, <-result)
		if want := []int{0, 1, 3, 4}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if st := s.Stats(); st != (eventloop.SourceStats{Sent: 4, Delivered: 4, Refused: 1}) {
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
		end  func(*eventloop.Loop, *eventloop.Source[int])
		want error
	}{
		"source closed": {func(_ *eventloop.Loop, s *eventloop.Source[int]) { s.Close(); s.Close() }, eventloop.ErrSourceClosed},
		"loop closed":   {func(l *eventloop.Loop, _ *eventloop.Source[int]) { _ = l.Close() }, eventloop.ErrLoopTerminated},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := eventloop.New()
				s := newSource(t, l, 1, eventloop.Wait, func(int) { t.Error("it ran") })
				must(t, s.TrySend(1))
				result := make(chan error)
				go func() { result <- s.Send(context.Background(), 2) }()
				synctest.Wait()
				c.end(l, s)
				matches(t, "Send", <-result, c.want)
				<-s.Done()
				matches(t, "TrySend", s.TrySend(3), c.want)
				_ = l.Close()
				synctest.Wait()
				if st := s.Stats(); st != (eventloop.SourceStats{Sent: 1, Dropped: 1, Refused: 2}) {
					t.Errorf("%+v", st)
				}
			})
		})
	}
}

func TestSendOnTheLoopToAFullSourceIsAnError(t *testing.T) {
	runMain(t, func(l *eventloop.Loop) {
		s := newSource(t, l, 1, eventloop.Wait, func(int) {})
		must(t, s.Send(context.Background(), 1))
		if err := s.Send(context.Background(), 2); !errors.Is(err, eventloop.ErrOnLoop) {
			t.Errorf("Send: %v", err)
		}
		if err := s.Send(ended(), 2); !errors.Is(err, context.Canceled) {
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
	s := newSource(t, l, 0, eventloop.Wait, func(int) { ran++ })
	for n := range 10 * sourceBatch {
		must(t, s.TrySend(n))
	}
	var at []int
	look := func() { at = append(at, ran) }
	must(t, l.Submit(func() {
		look()
		must(t, l.SubmitInternal(look))
		scheduled(t)(l.ScheduleTimer(0, look))
		s.Close()
	}))
	must(t, l.Run(bounded(t)))
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
			s := newSource(t, l, 0, eventloop.Wait, func(n int) {
				got = append(got, n)
				if n == 1 {
					e.end()
				}
			})
			for n := range 3 {
				must(t, s.TrySend(n))
			}
			s.Close()
			await(t, "Run", launch(l))
			await(t, "Done", l.Done())
			if !slices.Equal(got, []int{0, 1, 2}) || len(errs) != 1 {
				t.Errorf("got %v, heard %v", got, errs)
			}
		})
	}
}

func TestSourceKeepsTheLoopOpenUnlessUnref(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := eventloop.New(eventloop.WithAutoExit())
		s := newSource(t, l, 1, eventloop.Wait, func(int) {})
		result := make(chan error, 1)
		go func() { result <- l.Run(context.Background()) }()
		synctest.Wait()
		if len(result) != 0 {
			t.Fatal("the loop ended")
		}
		s.Unref()
		must(t, <-result)
		s.Ref()
		<-s.Done()
	})
	if _, err := eventloop.NewSource[int](eventloop.New(), 1, eventloop.Wait, nil); !errors.Is(err, eventloop.ErrNilCallback) {
		t.Errorf("nil callback: %v", err)
	}
	if _, err := eventloop.NewSource(new(eventloop.Loop), 1, eventloop.Wait, func(int) {}); !errors.Is(err, eventloop.ErrZeroLoop) {
		t.Errorf("zero loop: %v", err)
	}
}

// Accepted means executed, and first in, first out, with producers, a shutdown and a Close that race.
func TestManyProducersShareASource(t *testing.T) {
	for _, end := range []string{"Shutdown", "Source.Close"} {
		for range 20 {
			l := eventloop.New(eventloop.WithQueueLimit(4))
			result := launch(l)
			const producers = 6
			sent, got := [producers]int{}, [producers]int{}
			s := newSource(t, l, 8, eventloop.Wait, func(e [2]int) {
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
								_ = l.Shutdown(ended())
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
				if n := room(t, l); n != 4 {
					t.Errorf("there is room for %d tasks, the limit is 4", n)
				}
			}
			must(t, l.Shutdown(bounded(t)))
			must(t, await(t, "Run", result))
			if sent != got {
				t.Fatalf("%s: sent %v, got %v", end, sent, got)
			}
		}
	}
}
