package js_test

import (
	"math"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/js"
)

// HTML 8.7, clearTimeout: a handle that is not in the map of timers does nothing. Node's behave alike.
func TestClearingWhatIsNotThereDoesNothing(t *testing.T) {
	scripted(t, func(s *script) {
		done, _ := s.SetTimeout(func() {}, 1)
		cleared, _ := s.SetImmediate(func() {})
		if !s.ClearImmediate(cleared) {
			s.t.Error("the immediate was not there")
		}
		s.timeout(func() {
			timeout, _ := s.SetTimeout(s.say("timeout"), 1) // takes the place of the one that has run
			immediate, _ := s.SetImmediate(s.say("immediate"))
			for _, id := range []uint64{0, done, cleared, timeout + 1<<32, immediate + 1<<32, timeout + 1, 1 << 52, math.MaxUint32, math.MaxUint64} {
				if s.ClearTimeout(id) || s.ClearInterval(id) || s.ClearImmediate(id) {
					s.t.Errorf("%d was there", id)
				}
			}
		}, 5)
	}, "immediate", "timeout")
}

func TestClearingTwiceDoesNothing(t *testing.T) {
	scripted(t, func(s *script) {
		id, _ := s.SetInterval(s.say("never"), 1)
		if !s.ClearTimeout(id) || s.ClearTimeout(id) || s.ClearInterval(id) || s.Timer(id) != nil {
			s.t.Error("the first clears, and only that")
		}
	})
}

func TestStaleNumberNeverClearsAnotherTimer(t *testing.T) {
	env := js.New(eventloop.New())
	stale, err := env.SetTimeout(func() {}, 1000)
	set(t, err)
	env.ClearTimeout(stale)
	for range 1<<20 - 1 {
		id, err := env.SetTimeout(func() {}, 1000)
		set(t, err)
		env.ClearTimeout(id)
	}
	other, err := env.SetTimeout(func() {}, 1000)
	set(t, err)
	if env.ClearTimeout(stale) || env.Timer(other) == nil {
		t.Errorf("%d, long cleared, stood for timer %d", stale, other)
	}
	if other >= 1<<53 {
		t.Errorf("%d is no exact JavaScript number", other)
	}
}
