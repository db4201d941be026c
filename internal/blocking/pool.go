// Package blocking runs functions that may block on goroutines, as many at a time as a limit allows.
package blocking

import (
	"container/list"

	"github.com/eventloop-go/eventloop/internal/sched"
)

// DefaultLimit is the limit of a pool that was given none.
const DefaultLimit = 1024

// A Pool runs functions. The zero Pool has the default limit. It must not be copied.
type Pool struct {
	Limit int    // set before first use; below one it means the default
	Idle  func() // as well: called when the last function that ran has returned; or nil

	// Start, set before first use too, has work run that may block. Nil means on a goroutine of its own. A simulation decides there
	// when the work goes on.
	Start func(work func())

	mu      sched.Mutex
	running int
	queue   list.List // of *Task
}

// A Task is a function that a pool runs once, or not at all if it was cancelled before it began.
type Task struct {
	run   func()
	place *list.Element // in the queue, or nil; the pool's lock guards it
}

// Go has run called on a goroutine of its own, as soon as fewer functions run than may: in the order of the calls. It
// reports whether the function is queued.
func (p *Pool) Go(t *Task, run func()) (queued bool) {
	p.mu.Lock()
	t.run = run
	if p.running >= p.limit() {
		t.place = p.queue.PushBack(t)
		p.mu.Unlock()
		return true
	}
	p.running++
	p.mu.Unlock()
	p.start(t)
	return false
}

// Cancel takes a task out of the queue, and reports whether it did: then the function is not called.
func (p *Pool) Cancel(t *Task) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t.place == nil {
		return false
	}
	p.queue.Remove(t.place)
	t.place = nil
	return true
}

// Depth returns how many functions run, and how many are queued.
func (p *Pool) Depth() (running, queued int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.running, p.queue.Len()
}

func (p *Pool) limit() int {
	if p.Limit < 1 {
		return DefaultLimit
	}
	return p.Limit
}

func (p *Pool) start(t *Task) {
	if p.Start != nil {
		p.Start(func() { p.work(t) })
		return
	}
	sched.Go(func() { p.work(t) })
}

// work runs a task, and goes on with those that are queued.
func (p *Pool) work(t *Task) {
	defer func() {
		if t != nil { // it called Goexit, or panicked, and another goroutine has to go on
			if next := p.next(); next != nil {
				p.start(next)
			}
		}
	}()
	for t != nil {
		t.run()
		t = p.next()
	}
}

// next takes the oldest task out of the queue, or counts a goroutine that ends.
func (p *Pool) next() *Task {
	p.mu.Lock()
	first := p.queue.Front()
	if first == nil {
		p.running--
		idle := p.running == 0 && p.Idle != nil
		p.mu.Unlock()
		if idle {
			p.Idle()
		}
		return nil
	}
	defer p.mu.Unlock()
	t := p.queue.Remove(first).(*Task)
	t.place = nil
	return t
}
