package timerqueue_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/contestants/internal/timerqueue"
)

func TestTimersComeOutByDeadlineThenAgeUnlessTheyWereRemoved(t *testing.T) {
	type entry struct{ when, age int }
	var (
		q     timerqueue.Queue
		start = time.Now()
		want  []entry
		got   []entry
		draw  = rand.New(rand.NewPCG(1, 2))
	)
	for age := range 1000 {
		e := entry{when: draw.IntN(50), age: age}
		timer := q.Add(start.Add(time.Duration(e.when)), func() { got = append(got, e) })
		if draw.IntN(3) > 0 {
			want = append(want, e)
		} else if !q.Remove(timer) || q.Remove(timer) {
			t.Fatal("a timer is not removed exactly once")
		}
	}
	slices.SortStableFunc(want, func(a, b entry) int { return a.when - b.when })
	if q.Len() != len(want) {
		t.Errorf("%d timers, want %d", q.Len(), len(want))
	}
	for now := range 50 {
		if when, ok := q.Next(); ok && when.Before(start.Add(time.Duration(now))) {
			t.Errorf("at %d a timer is overdue", now)
		}
		for task := q.PopDue(start.Add(time.Duration(now))); task != nil; task = q.PopDue(start.Add(time.Duration(now))) {
			if task(); got[len(got)-1].when != now {
				t.Errorf("at %d ran %+v", now, got[len(got)-1])
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Error("not in order")
	}
	if _, ok := q.Next(); ok {
		t.Error("a timer is left")
	}
}
