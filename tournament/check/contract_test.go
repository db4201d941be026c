package check_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/check"
	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/contestants"
	"github.com/eventloop-go/eventloop/tournament/result"
)

func needsWhatTheQueueLacks(s check.Suite) bool {
	return slices.ContainsFunc(s.Needs, func(c contestant.Capability) bool {
		return c.Name == contestant.HasTimers.Name || c.Name == contestant.HasDescriptors.Name
	})
}

// with enters a queue with something more.
func with(t *testing.T, add func(q *queue) contestant.Loop) contestant.Contestant {
	base := broken(t, faults{})
	return contestant.Contestant{Name: "More", New: func() (contestant.Loop, error) {
		q, err := base.New()
		return add(q.(*queue)), err
	}}
}

func TestTimerCancelCatchesTimersThatAreEarlyLostOrIgnoreTheirCancelling(t *testing.T) {
	later := func(q *queue, delay time.Duration, task func()) func() {
		timer := time.AfterFunc(delay, func() { _ = q.Submit(task) })
		return func() { timer.Stop() }
	}
	for name, test := range map[string]struct {
		after func(q *queue, delay time.Duration, task func()) func()
		want  result.Status
	}{
		"fine":  {later, result.Pass},
		"early": {func(q *queue, _ time.Duration, task func()) func() { return later(q, 0, task) }, result.Fail},
		"lost":  {func(*queue, time.Duration, func()) func() { return func() {} }, result.Fail},
		"uncancelled": {func(q *queue, delay time.Duration, task func()) func() {
			later(q, min(delay, 5*time.Millisecond), task)
			return func() {}
		}, result.Fail},
	} {
		c := with(t, func(q *queue) contestant.Loop { return &hasty{q, test.after} })
		var got result.Check
		for range 5 { // a machine that is busy enough makes a loop that fires too early fire in time
			if got = check.TimerCancel.Check(t.Context(), c, check.Options{Patience: impatience}); got.Status == result.Fail {
				break
			}
		}
		if got.Status != test.want {
			t.Errorf("%s: %s, %s", name, got.Status, got.Detail)
		}
	}
}

// A watching loop has another way to watch than the loop that it is.
type watching struct {
	contestant.Loop
	watch func(d contestant.Descriptors, fd int, ready func()) (func() error, error)
}

func (l *watching) WatchReadable(fd int, ready func()) (func() error, error) {
	return l.watch(l.Loop.(contestant.Descriptors), fd, ready)
}

func TestDescriptorReadinessCatchesALoopThatDoesNotWatchOrDoesNotStop(t *testing.T) {
	watches := func(c contestant.Contestant) bool {
		return check.DescriptorReadiness.Check(t.Context(), c, check.Options{}).Status == result.Pass
	}
	all := contestants.Designs()
	i := slices.IndexFunc(all, watches)
	if i < 0 {
		t.Skip("no loop watches descriptors on this system")
	}
	nothing := func() error { return nil }
	for name, watch := range map[string]func(d contestant.Descriptors, fd int, ready func()) (func() error, error){
		"does not watch": func(contestant.Descriptors, int, func()) (func() error, error) { return nothing, nil },
		"does not stop": func(d contestant.Descriptors, fd int, ready func()) (func() error, error) {
			_, err := d.WatchReadable(fd, ready)
			return nothing, err
		},
	} {
		c := all[i]
		c.New = func() (contestant.Loop, error) {
			l, err := all[i].New()
			return &watching{l, watch}, err
		}
		if got := check.DescriptorReadiness.Check(t.Context(), c, check.Options{Patience: impatience}); got.Status != result.Fail {
			t.Errorf("%s: %s, %s", name, got.Status, got.Detail)
		}
	}
}

func TestALoopThatCannotBeMadeFailsEverySuiteWithTheReason(t *testing.T) {
	for want, make := range map[string]func() (contestant.Loop, error){
		"there is no New":      nil,
		"nil and no error":     func() (contestant.Loop, error) { return nil, nil },
		"New panics: no today": func() (contestant.Loop, error) { panic("no today") },
		"no error from New":    func() (contestant.Loop, error) { return (*queue)(nil), nil },
	} {
		for _, s := range []check.Suite{check.SubmissionOrder, check.PanicIsolationInternal, check.RaceWakeup} {
			s.Isolated = false
			got := s.Check(t.Context(), contestant.Contestant{Name: "None", New: make}, check.Options{})
			if got.Status != result.Fail || !strings.Contains(got.Detail, want) {
				t.Errorf("%s: %s, %q; want %q", s.Name, got.Status, got.Detail, want)
			}
		}
	}
}
