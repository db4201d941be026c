package sandbox

import (
	"context"
	"sync"
)

// A Pool keeps sandboxes ready. Each is used once: who takes one closes it, and the pool starts another. Any goroutine
// may use it.
type Pool struct {
	config *config
	ready  chan started

	mu       sync.Mutex
	all      map[*Sandbox]bool // that run
	starting int
	waiting  int       // goroutines that wait in Get
	idle     sync.Cond // all is empty and starting is 0

	ctx    context.Context // ends when the pool is closed
	cancel context.CancelFunc
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
	p := &Pool{config: c, ready: make(chan started, c.most), all: map[*Sandbox]bool{}}
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
	p.wait(1)
	defer p.wait(-1)
	for {
		if p.ctx.Err() != nil { // it goes before what is ready
			return nil, ErrClosed
		}
		select {
		case got := <-p.ready:
			if got.err != nil {
				return nil, got.err
			}
			select {
			case <-got.sandbox.done: // it has ended while it waited
			default:
				return got.sandbox, nil
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-p.ctx.Done():
			return nil, ErrClosed
		}
		p.wait(0)
	}
}

// Ready returns how many sandboxes wait to be taken.
func (p *Pool) Ready() int { return len(p.ready) }

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

// wait adds n to the goroutines that wait, and starts what is missing.
func (p *Pool) wait(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting += n
	p.fill()
}

// fill starts processes for those that wait and for those to come. The lock is held.
func (p *Pool) fill() {
	most := p.config.most
	wanted := min(p.waiting+p.config.warm, most)
	for p.ctx.Err() == nil && p.starting+len(p.ready) < wanted && p.starting+len(p.all) < most {
		p.starting++
		go p.start()
	}
}

func (p *Pool) start() {
	s, err := start(p.ctx, p.config)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.starting--
	if err == nil {
		p.all[s] = true
		go p.await(s)
	}
	switch {
	case p.ctx.Err() == nil:
		p.ready <- started{s, err} // there is room for as many as there may be, and fill starts no more
	case err == nil:
		s.end(ErrClosed)
	}
	p.idle.Broadcast()
}

// await waits for the end of a sandbox.
func (p *Pool) await(s *Sandbox) {
	<-s.done
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.all, s)
	p.idle.Broadcast()
	p.fill()
}
