// Package loop is the job scheduler on the loop.
package loop

import (
	"context"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/examples/programs/jobs"
	"github.com/eventloop-go/eventloop/promise"
)

// A Scheduler runs jobs, at most so many at the same time.
type Scheduler struct {
	loop    *eventloop.Loop
	ctx     context.Context
	cancel  context.CancelFunc
	entries map[string]*entry // the loop's
}

type entry struct {
	job    jobs.Job
	ctx    context.Context
	cancel context.CancelFunc
	ticker eventloop.Timer
	run    *promise.Promise[bool] // the last one
	status jobs.Status
}

func New(parallel int) *Scheduler {
	s := &Scheduler{loop: eventloop.New(promise.WithBlockingLimit(parallel)), entries: map[string]*entry{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	go s.loop.Run(context.Background())
	return s
}

func (s *Scheduler) Add(job jobs.Job) error {
	_, err := eventloop.Call(s.ctx, s.loop, func() (bool, error) {
		if s.entries[job.Name] != nil {
			return false, jobs.ErrTaken
		}
		e := &entry{job: job, run: promise.Resolve(s.loop, true)}
		e.ctx, e.cancel = context.WithCancel(s.ctx)
		e.ticker = s.loop.NewTicker(eventloop.SkipMissed, func() { s.begin(e) })
		s.entries[job.Name] = e
		return true, e.ticker.Reset(job.Every)
	})
	return err
}

// Remove cancels the job, which may be running.
func (s *Scheduler) Remove(name string) {
	s.loop.Do(s.ctx, func() {
		if e := s.entries[name]; e != nil {
			e.ticker.Stop()
			e.cancel()
			delete(s.entries, name)
		}
	})
}

func (s *Scheduler) Status(name string) (status jobs.Status) {
	s.loop.Do(s.ctx, func() {
		if e := s.entries[name]; e != nil {
			status = e.status
		}
	})
	return status
}

// Stop begins no further run, and waits for those in progress. When ctx ends, they are cancelled.
func (s *Scheduler) Stop(ctx context.Context) error {
	defer s.cancel()
	var runs []*promise.Promise[bool]
	s.loop.Do(ctx, func() {
		for _, e := range s.entries {
			e.ticker.Stop()
			runs = append(runs, e.run)
		}
	})
	_, err := promise.All(s.loop, runs...).Wait(ctx)
	s.loop.Shutdown(context.Background())
	return err
}

func (s *Scheduler) begin(e *entry) {
	if e.status.Running {
		return
	}
	e.status.Running = true
	policy := promise.RetryPolicy{Attempts: e.job.Attempts, Delay: time.Second}
	done := promise.Retry(e.ctx, s.loop, policy, func(ctx context.Context) *promise.Promise[bool] {
		return promise.Promisify(ctx, s.loop, func(ctx context.Context) (bool, error) { // at most so many at the same time
			ctx, cancel := context.WithTimeout(ctx, e.job.Limit)
			defer cancel()
			return true, e.job.Run(ctx)
		})
	})
	e.run = promise.ThenElse(done, func(bool) (bool, error) { return e.ended(nil) }, e.ended)
}

func (e *entry) ended(err error) (bool, error) {
	e.status.Running = false
	e.status.Runs++
	if e.status.Err = err; err != nil {
		e.status.Failures++
	}
	return err == nil, nil
}
