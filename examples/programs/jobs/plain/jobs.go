// Package plain is the job scheduler with goroutines and a mutex.
package plain

import (
	"context"
	"sync"
	"time"

	"github.com/eventloop-go/eventloop/examples/programs/jobs"
)

// A Scheduler runs jobs, at most so many at the same time.
type Scheduler struct {
	places chan struct{}
	ctx    context.Context
	cancel context.CancelFunc
	wait   sync.WaitGroup

	mu      sync.Mutex
	entries map[string]*entry
	stopped bool
}

type entry struct {
	job    jobs.Job
	cancel context.CancelFunc
	status jobs.Status
}

func New(parallel int) *Scheduler {
	s := &Scheduler{places: make(chan struct{}, parallel), entries: map[string]*entry{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

func (s *Scheduler) Add(job jobs.Job) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return context.Canceled
	}
	if s.entries[job.Name] != nil {
		return jobs.ErrTaken
	}
	ctx, cancel := context.WithCancel(s.ctx)
	e := &entry{job: job, cancel: cancel}
	s.entries[job.Name] = e
	s.wait.Go(func() { s.repeat(ctx, e) })
	return nil
}

// Remove cancels the job, which may be running.
func (s *Scheduler) Remove(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.entries[name]; e != nil {
		e.cancel()
		delete(s.entries, name)
	}
}

func (s *Scheduler) Status(name string) jobs.Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.entries[name]; e != nil {
		return e.status
	}
	return jobs.Status{}
}

// Stop begins no further run, and waits for those in progress. When ctx ends, they are cancelled.
func (s *Scheduler) Stop(ctx context.Context) error {
	s.mu.Lock()
	s.stopped = true
	for _, e := range s.entries {
		if !e.status.Running {
			e.cancel()
		}
	}
	s.mu.Unlock()
	stopped := make(chan struct{})
	go func() {
		s.wait.Wait()
		close(stopped)
	}()
	defer s.cancel()
	select {
	case <-stopped:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Scheduler) repeat(ctx context.Context, e *entry) {
	ticker := time.NewTicker(e.job.Every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		if !s.begin(e) {
			return
		}
		err := s.attempts(ctx, e.job)
		s.mu.Lock()
		e.status.Running = false
		e.status.Runs++
		if e.status.Err = err; err != nil {
			e.status.Failures++
		}
		stopped := s.stopped
		s.mu.Unlock()
		if stopped {
			return
		}
		select {
		case <-ticker.C: // due while it ran
		default:
		}
	}
}

func (s *Scheduler) begin(e *entry) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	e.status.Running = !s.stopped
	return !s.stopped
}

func (s *Scheduler) attempts(ctx context.Context, job jobs.Job) error {
	for attempt, delay := 1, time.Second; ; attempt, delay = attempt+1, 2*delay {
		err := s.attempt(ctx, job)
		if err == nil || attempt == job.Attempts {
			return err
		}
		timer := time.NewTimer(delay)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}

func (s *Scheduler) attempt(ctx context.Context, job jobs.Job) error {
	select {
	case s.places <- struct{}{}:
		defer func() { <-s.places }()
	case <-ctx.Done():
		return ctx.Err()
	}
	ctx, cancel := context.WithTimeout(ctx, job.Limit)
	defer cancel()
	return job.Run(ctx)
}
