package sandbox

import (
	"context"
	"slices"
	"sync"
)

// A Pool keeps sandboxes ready. Each is used once: who takes one closes it, and the pool starts another. Any goroutine
// may use it.
type Pool struct {
	config *config

	mu       sync.Mutex
	all      map[*Sandbox]bool // that run
	ready    []*Sandbox        // of these, the ones to be taken, the oldest first
	waiting  []*waiter         // first come, first served
	starting int
	starts   int       // processes that the pool has begun to start: see waiter
	idle     sync.Cond // all is empty and starting is 0

	ctx    context.Context // ends when the pool is closed
	cancel context.CancelFunc
}

// A waiter is a call of Get. The error of a start is reported to a call that came before the start: a call that comes later
// gets a start of its own.
type waiter struct {
	got   chan started // has room for one
	after int          // the number of the last start before the call
}

// started is what starting a sandbox has come to.
type started struct {
	sandbox *Sandbox
	err     error
}

// NewPool makes a pool and begins to start processes; see [WithProcesses].
//
// Errors: wrong options.
func NewPool(options ...Option) (*Pool, error) {
	c := newConfig(options)
	if err := c.check(); err != nil {
		return nil, err
	}
	p := &Pool{config: c, all: map[*Sandbox]bool{}}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.idle.L = &p.mu
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fill()
	return p, nil
}

// Get takes a sandbox. It waits if none is ready, and while as many are in use as there may be. The caller closes it.
//
// Errors: [ErrClosed], the context's, what starting a process failed with.
func (p *Pool) Get(ctx context.Context) (*Sandbox, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	w, s := p.take()
	if s != nil {
		return s, nil
	}
	select {
	case got := <-w.got:
		return got.sandbox, got.err
	case <-ctx.Done():
	case <-p.ctx.Done():
	}
	p.mu.Lock()
	if i := slices.Index(p.waiting, w); i >= 0 {
		p.waiting = slices.Delete(p.waiting, i, i+1)
		p.mu.Unlock()
		if p.ctx.Err() != nil {
			return nil, ErrClosed
		}
		return nil, context.Cause(ctx)
	}
	p.mu.Unlock()
	got := <-w.got // it has been sent
	return got.sandbox, got.err
}

// take takes a sandbox that is ready, or begins to wait for one.
func (p *Pool) take() (*waiter, *Sandbox) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.fill()
	for len(p.ready) > 0 && p.ctx.Err() == nil {
		s := p.ready[0]
		p.ready = p.ready[1:]
		select {
		case <-s.done: // it has ended while it waited
		default:
			return nil, s
		}
	}
	w := &waiter{make(chan started, 1), p.starts}
	p.waiting = append(p.waiting, w)
	return w, nil
}

// Ready returns how many sandboxes wait to be taken.
func (p *Pool) Ready() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.ready)
}

// Do takes a sandbox, calls fn with it and closes it.
func (p *Pool) Do(ctx context.Context, fn func(*Sandbox) error) error {
	s, err := p.Get(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	return fn(s)
}

// Close ends all sandboxes of the pool, those in use as well, and waits for that.
func (p *Pool) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cancel()
	for s := range p.all {
		s.end(ErrClosed)
	}
	for len(p.all) > 0 || p.starting > 0 {
		p.idle.Wait()
	}
	return nil
}

// fill starts processes for those that wait and for those to come. The lock is held.
func (p *Pool) fill() { p.startUpTo(len(p.waiting) + p.config.warm) }

func (p *Pool) startUpTo(wanted int) {
	most := p.config.most
	for p.ctx.Err() == nil && p.starting+len(p.ready) < min(wanted, most) && p.starting+len(p.all) < most {
		p.starting++
		p.starts++
		go p.start(p.starts)
	}
}

func (p *Pool) start(number int) {
	s, err := start(p.ctx, p.config)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.starting--
	defer p.idle.Broadcast()
	if err != nil {
		if i := slices.IndexFunc(p.waiting, func(w *waiter) bool { return w.after < number }); i >= 0 {
			p.waiting[i].got <- started{err: err}
			p.waiting = slices.Delete(p.waiting, i, i+1)
		}
		p.startUpTo(len(p.waiting)) // none to keep ready: that may fail again at once, and for ever
		return
	}
	p.all[s] = true
	go p.await(s)
	switch {
	case p.ctx.Err() != nil:
		s.end(ErrClosed)
	case len(p.waiting) > 0:
		p.waiting[0].got <- started{sandbox: s}
		p.waiting = p.waiting[1:]
	default:
		p.ready = append(p.ready, s)
	}
}

// await waits for the end of a sandbox.
func (p *Pool) await(s *Sandbox) {
	<-s.done
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.all, s)
	p.ready = slices.DeleteFunc(p.ready, func(r *Sandbox) bool { return r == s })
	p.idle.Broadcast()
	p.fill()
}
