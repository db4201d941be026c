package workload_test

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

// A sleepless loop looks for work without an end.
type sleepless struct {
	*queue
	tasks chan func()
}

func (l sleepless) Submit(task func()) error {
	l.tasks <- task
	return nil
}

func (l sleepless) Run(ctx context.Context) error {
	ended := make(chan error, 1)
	go func() { ended <- l.queue.Run(ctx) }()
	for {
		select {
		case task := <-l.tasks:
			task()
		case err := <-ended:
			return err
		default:
			runtime.Gosched()
		}
	}
}

func TestALoopThatDoesNotSleepIsNotMeasuredAsOneThatWakesUp(t *testing.T) {
	c := contestant.Contestant{Name: "Sleepless", New: func() (contestant.Loop, error) {
		l := sleepless{newQueue(), make(chan func(), 1000)}
		t.Cleanup(func() { // a loop that failed is left as it is, and this one would disturb all tests after this
			if err := l.Shutdown(context.Background()); err != nil {
				t.Error(err)
			}
		})
		return l, nil
	}}
	for _, w := range []workload.Workload{workload.WakeupAsleep, workload.WakeupBurstFromAsleep} {
		var awake *workload.AwakeError
		// A process that has the processors to itself uses all of one; on a loaded machine it gets less.
		if _, err := w.Sample(c, 100*max(1, w.Burst), patience); err != nil && !errors.As(err, &awake) {
			t.Errorf("%s: %v", w.Name, err)
		} else if err == nil {
			t.Skip("the machine is too busy for a loop that looks for work all the time to show")
		}
	}
}

func TestAWakeUpReportsItsProofOfSleep(t *testing.T) {
	for _, w := range []workload.Workload{workload.WakeupAsleep, workload.WakeupBurstFromAsleep} {
		s, err := w.Sample(queued, 10*max(1, w.Burst), patience)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := s.Metrics[workload.Awake]; !ok || s.Metrics["p90-ns"] < s.NsPerOp || s.Metrics["p99-ns"] < s.Metrics["p90-ns"] {
			t.Errorf("%s: %+v", w.Name, s)
		}
	}
}
