package js_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/js"
)

// lasting runs body as the main script of a loop that reports no panics, and returns the log.
func lasting(t *testing.T, body func(s *script), opts ...eventloop.Option) *script {
	t.Helper()
	opts = append(opts, eventloop.WithPanicHandler(func(*eventloop.PanicError) {}))
	loop := eventloop.New(opts...)
	s := &script{Env: js.New(loop), t: t, start: time.Now()}
	if err := loop.Submit(func() { body(s) }); err != nil {
		t.Fatal(err)
	}
	go func() { _ = loop.Run(context.Background()) }() // a goroutine of its own, for Goexit
	<-loop.Done()
	return s
}

// virtually runs body in virtual time.
func virtually(t *testing.T, body func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, body)
}

func (s *script) expect(want ...string) {
	s.t.Helper()
	if !slices.Equal(s.log, want) {
		s.t.Errorf("log %q\nwant %q", s.log, want)
	}
}

// moved runs the pending callbacks on another loop, until none is left.
func (s *script) moved() {
	s.t.Helper()
	second := eventloop.New(eventloop.WithAutoExit())
	s.Hooks().Move(second)
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	if err := second.Run(ctx); err != nil {
		s.t.Errorf("the second loop: %v", err)
	}
}

func shutdown(s *script) { _ = s.Loop().Shutdown(ended()) }

func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func TestRefusedRefreshLeavesTheCountAsItWas(t *testing.T) {
	virtually(t, func(t *testing.T) {
		s := lasting(t, func(s *script) {
			fired := s.timeout(func() {}, 1)
			s.timeout(func() {
				shutdown(s)
				if err := fired.Refresh(); !errors.Is(err, eventloop.ErrLoopTerminated) {
					t.Errorf("Refresh: %v", err)
				}
				fired.Close()
			}, 2)
			s.timeout(s.say("later"), 50)
		})
		if n := s.Active(); n != 1 {
			t.Errorf("%d are pending, want 1", n)
		}
		s.moved()
		s.expect("later")
		if n := s.Active(); n != 0 {
			t.Errorf("%d are pending at the end", n)
		}
	})
}

func TestGoexitInAnImmediateLosesNothingOfItsBatch(t *testing.T) {
	for _, draining := range []bool{false, true} {
		virtually(t, func(t *testing.T) {
			s := lasting(t, func(s *script) {
				s.immediate(func() { runtime.Goexit() })
				s.immediate(s.say("a"))
				s.immediate(func() {
					s.say("b")()
					if draining {
						shutdown(s)
					}
					runtime.Goexit()
				})
				s.immediate(s.say("c"))
				s.immediate(func() { s.say("d")(); shutdown(s) })
			})
			s.expect("a", "b", "c", "d")
			if n := s.Active(); n != 0 {
				t.Errorf("%d are pending at the end", n)
			}
		})
	}
}

func TestGoexitInATimerWhileTheLoopDrainsLosesNoTimerThatIsDue(t *testing.T) {
	virtually(t, func(t *testing.T) {
		s := lasting(t, func(s *script) {
			for i := range 4 {
				s.timeout(func() {
					s.say(fmt.Sprint(i))()
					shutdown(s)
					runtime.Goexit()
				}, 1)
			}
			s.timeout(s.say("never"), 2)
		})
		s.expect("0", "1", "2", "3")
	})
}

func TestCloseInAnIntervalsOwnCallbackEndsIt(t *testing.T) {
	scripted(t, func(s *script) {
		_, err := s.NewInterval(func() {
			s.say("once")()
			s.Env.Close()
			if n := s.Active(); n != 0 {
				t.Errorf("%d are pending", n)
			}
		}, 1)
		set(t, err)
	}, "once")
}

func TestTimerThatIsDueBeforeShutdownRuns(t *testing.T) {
	for name, body := range map[string]func(s *script){
		"another of its millisecond is not due": func(s *script) {
			s.timeout(s.say("due"), 1)
			time.Sleep(500 * time.Microsecond)
			s.timeout(s.say("not due"), 1)
			time.Sleep(600 * time.Microsecond)
			shutdown(s)
		},
		"another of its millisecond, in an older list, is not due": func(s *script) {
			time.Sleep(600 * time.Microsecond)
			s.timeout(s.say("not due"), 2)
			time.Sleep(600 * time.Microsecond)
			s.timeout(s.say("due"), 1)
			time.Sleep(1100 * time.Microsecond)
			shutdown(s)
		},
		"it waits for another of its millisecond": func(s *script) {
			s.timeout(s.say("due"), 1)
			time.AfterFunc(1500*time.Microsecond, func() { shutdown(s) })
			time.Sleep(700 * time.Microsecond)
			s.timeout(s.say("due"), 1) // with the first, though later than the shutdown
			s.timeout(s.say("not due"), 40)
		},
		"it waits for another of its millisecond that is cleared": func(s *script) {
			s.timeout(s.say("due"), 1)
			time.Sleep(700 * time.Microsecond)
			cleared := s.timeout(s.say("never"), 1)
			time.AfterFunc(600*time.Microsecond, cleared.Close)
			time.AfterFunc(800*time.Microsecond, func() { shutdown(s) })
		},
		"it fell due during the phase": func(s *script) {
			s.timeout(func() {
				time.Sleep(5 * time.Millisecond)
				shutdown(s)
			}, 1)
			s.timeout(s.say("due"), 4)
			s.timeout(s.say("not due"), 40)
		},
	} {
		t.Run(name, func(t *testing.T) {
			virtually(t, func(t *testing.T) {
				s := lasting(t, body)
				s.log = slices.Compact(s.log)
				s.expect("due")
			})
		})
	}
}

func TestTimerIsOnTimeWhenTheFirstOfAnotherDelayWasCleared(t *testing.T) {
	scripted(t, func(s *script) {
		cleared := s.timeout(s.say("never"), 100)
		s.timeout(func() { s.say(fmt.Sprint(s.after()))() }, 120)
		time.Sleep(49 * time.Millisecond)
		s.timeout(s.say("behind"), 100)
		s.timeout(func() { cleared.Close() }, 1)
	}, "120", "behind")
}

func TestCallbackThatClosesTheLoopIsTheLastAndTheOthersStayPending(t *testing.T) {
	for name, first := range map[string]func(s *script, fn func()){
		"immediate": func(s *script, fn func()) { s.immediate(fn) },
		"timeout":   func(s *script, fn func()) { s.timeout(fn, 1) },
		"interval": func(s *script, fn func()) {
			n := 0
			var i *js.Timeout
			i, _ = s.NewInterval(func() {
				if n++; n == 2 {
					i.Close()
				}
				fn()
			}, 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			virtually(t, func(t *testing.T) {
				n := 0
				s := lasting(t, func(s *script) {
					first(s, func() {
						if n++; n == 1 {
							_ = s.Loop().Close()
						}
					})
					if name == "immediate" {
						s.immediate(s.say("second"))
						s.immediate(s.say("third"))
						return
					}
					s.timeout(s.say("second"), 1)
					s.timeout(s.say("third"), 1)
				})
				s.expect()
				s.moved()
				s.expect("second", "third")
				if name == "interval" && n != 2 {
					t.Errorf("the interval ran %d times, want 2", n)
				}
				if n := s.Active(); n != 0 {
					t.Errorf("%d are pending at the end", n)
				}
			})
		})
	}
}

func TestImmediateReferencedAgainWhileTheLoopDrainsRuns(t *testing.T) {
	virtually(t, func(t *testing.T) {
		s := lasting(t, func(s *script) {
			unref := s.immediate(s.say("referenced again"))
			unref.Unref()
			time.AfterFunc(time.Millisecond, func() {
				_ = s.Loop().Submit(func() {
					shutdown(s)
					if err := s.Hooks().StartImmediate(new(js.Immediate), job(func() {})); !errors.Is(err, eventloop.ErrLoopTerminated) {
						t.Errorf("StartImmediate: %v", err)
					}
					if n := s.Active(); n != 0 {
						t.Errorf("%d are pending, want none", n)
					}
					unref.Ref() // it was accepted before, so it runs
				})
			})
		})
		s.expect("referenced again")
		if n := s.Active(); n != 0 {
			t.Errorf("%d are pending at the end", n)
		}
	})
}
