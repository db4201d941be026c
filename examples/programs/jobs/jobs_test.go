package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop/examples/programs/jobs"
	"github.com/eventloop-go/eventloop/examples/programs/jobs/loop"
	"github.com/eventloop-go/eventloop/examples/programs/jobs/plain"
)

type scheduler interface {
	Add(jobs.Job) error
	Remove(name string)
	Status(name string) jobs.Status
	Stop(context.Context) error
}

var schedulers = map[string]func(parallel int) scheduler{
	"plain": func(n int) scheduler { return plain.New(n) },
	"loop":  func(n int) scheduler { return loop.New(n) },
}

// each runs the test on virtual time.
func each(t *testing.T, parallel int, test func(t *testing.T, s scheduler)) {
	for name, newScheduler := range schedulers {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScheduler(parallel)
				test(t, s)
				if err := s.Stop(t.Context()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func add(t *testing.T, s scheduler, job jobs.Job) {
	t.Helper()
	if err := s.Add(job); err != nil {
		t.Fatal(err)
	}
}

func TestAJobRunsOnTimeUntilItIsRemoved(t *testing.T) {
	each(t, 1, func(t *testing.T, s scheduler) {
		job := jobs.Job{Name: "sweep", Every: time.Minute, Limit: time.Second, Attempts: 1,
			Run: func(context.Context) error { return nil }}
		add(t, s, job)
		if err := s.Add(job); !errors.Is(err, jobs.ErrTaken) {
			t.Error(err)
		}
		time.Sleep(10*time.Minute + time.Second)
		if got := s.Status("sweep"); got != (jobs.Status{Runs: 10}) {
			t.Errorf("%+v", got)
		}
		s.Remove("sweep")
		if got := s.Status("sweep"); got != (jobs.Status{}) {
			t.Errorf("%+v", got)
		}
	})
}

func TestAJobThatFailsIsTriedAgainAndLimited(t *testing.T) {
	each(t, 1, func(t *testing.T, s scheduler) {
		calls := make(chan time.Time, 10)
		add(t, s, jobs.Job{Name: "hangs", Every: time.Minute, Limit: 10 * time.Second, Attempts: 3, Run: func(ctx context.Context) error {
			calls <- time.Now()
			<-ctx.Done()
			return ctx.Err()
		}})
		time.Sleep(119 * time.Second)
		first := <-calls
		if a, b := (<-calls).Sub(first), (<-calls).Sub(first); a != 11*time.Second || b != 23*time.Second {
			t.Error("tried again after", a, "and", b)
		}
		if got := s.Status("hangs"); got.Runs != 1 || got.Failures != 1 || !errors.Is(got.Err, context.DeadlineExceeded) {
			t.Errorf("%+v", got)
		}
	})
}

func TestNoMoreJobsRunAtTheSameTimeThanAllowed(t *testing.T) {
	each(t, 2, func(t *testing.T, s scheduler) {
		running, most := make(chan struct{}, 100), make(chan int, 100)
		for i := range 4 {
			add(t, s, jobs.Job{Name: fmt.Sprint(i), Every: time.Minute, Limit: time.Hour, Attempts: 1, Run: func(context.Context) error {
				running <- struct{}{}
				most <- len(running)
				time.Sleep(time.Second)
				<-running
				return nil
			}})
		}
		time.Sleep(time.Minute + 30*time.Second)
		for range 4 {
			if n := <-most; n > 2 {
				t.Error(n, "at the same time")
			}
		}
	})
}

func TestStopWaitsForRunsInProgressUntilItsContextEnds(t *testing.T) {
	for name, newScheduler := range schedulers {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScheduler(1)
				cancelled := make(chan struct{})
				add(t, s, jobs.Job{Name: "long", Every: time.Second, Limit: time.Hour, Attempts: 1, Run: func(ctx context.Context) error {
					<-ctx.Done()
					close(cancelled)
					return ctx.Err()
				}})
				time.Sleep(2 * time.Second)
				begin := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				if err := s.Stop(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != time.Minute {
					t.Error(err, time.Since(begin))
				}
				<-cancelled
			})
		})
	}
}

// A job that does nothing, every microsecond of virtual time.
func BenchmarkJobs(b *testing.B) {
	for name, newScheduler := range schedulers {
		b.Run(name, func(b *testing.B) {
			s := newScheduler(1)
			ran := make(chan struct{})
			if err := s.Add(jobs.Job{Name: "tick", Every: time.Microsecond, Limit: time.Second, Attempts: 1,
				Run: func(context.Context) error { ran <- struct{}{}; return nil }}); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				<-ran
			}
			go func() {
				for range ran {
				}
			}()
			if err := s.Stop(b.Context()); err != nil {
				b.Error(err)
			}
			close(ran)
		})
	}
}
