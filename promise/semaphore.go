package promise

import (
	"fmt"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// A Semaphore limits simultaneous use of a resource by coroutines: requests, connections, bytes of memory. It has a
// number of permits; Acquire takes some, and waits while there are not enough.
//
// The order is first come, first served. A coroutine that waits for many permits delays those behind it, so that it
// eventually gets them. Coroutines of several loops can share a semaphore.
//
// For promises instead of coroutines there is [Map], or [Spawn] with a body that acquires, awaits and releases.
type Semaphore struct {
	size int

	mu   sched.Mutex // guards the rest
	used int
	line line[int]
}

// NewSemaphore returns a semaphore of size permits. It panics if size is not positive: nothing could ever be acquired.
func NewSemaphore(size int) *Semaphore {
	if size <= 0 {
		panic(fmt.Sprintf("promise: NewSemaphore(%d): the number of permits must be positive", size))
	}
	return &Semaphore{size: size}
}

// Acquire takes n permits, and suspends the coroutine until there are so many. Every successful call needs a
// [Semaphore.Release] of as many, usually deferred.
//
// On an error no permit was taken. Acquire returns the errors of [Await] once the context or the loop has ended, and
// one that matches [eventloop.ErrInvalid] if n is not between 1 and the size. If the permits arrive as the context
// ends, Acquire may still succeed.
//
// Acquire returns at once, without a microtask or allocation, if there are enough permits and no coroutine waits.
// Otherwise it costs an Await and one allocation. It panics outside the coroutine's function, as Await does.
func (s *Semaphore) Acquire(c *Coroutine, n int) error {
	c.mustRun("Semaphore.Acquire")
	if n < 1 || n > s.size {
		return fmt.Errorf("promise: Acquire of %d permits from a semaphore of %d: %w", n, s.size, eventloop.ErrInvalid)
	}
	if err := c.ended(); err != nil {
		return err
	}
	s.mu.Lock()
	if s.take(n) {
		s.mu.Unlock()
		return nil
	}
	t := s.line.join(c, n)
	s.mu.Unlock()
	err := s.line.await(c, &s.mu, t)
	if err != nil {
		s.mu.Lock()
		s.serve() // those behind may need less
		s.mu.Unlock()
	}
	return err
}

// TryAcquire takes n permits if they are free and no coroutine waits, and reports whether it did. Any goroutine may
// call it.
func (s *Semaphore) TryAcquire(n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return n > 0 && s.take(n)
}

// Release gives n permits back, and resumes coroutines that wait for them. Any goroutine may call it. It panics if more
// permits are given back than were taken.
func (s *Semaphore) Release(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n < 0 || n > s.used {
		panic(fmt.Sprintf("promise: Release of %d permits, and %d are taken", n, s.used))
	}
	s.used -= n
	s.serve()
}

// take takes n permits if no coroutine waits for others. The caller holds the lock.
func (s *Semaphore) take(n int) bool {
	free := s.line.first == nil && n <= s.size-s.used
	if free {
		s.used += n
	}
	return free
}

// serve gives permits to those who wait, as far as they go. The lock is held.
func (s *Semaphore) serve() {
	for t := s.line.first; t != nil && t.value <= s.size-s.used; t = s.line.first {
		s.used += t.value
		s.line.serve(t)
	}
}
