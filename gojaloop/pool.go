package gojaloop

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
)

// ErrPoolClosed says that a [Pool] takes no more calls: Shutdown was called.
var ErrPoolClosed = errors.New("gojaloop: the pool is closed")

// A PoolConfig says what the runtimes of a [Pool] are and what limits they have.
type PoolConfig struct {
	// Program is run in each runtime when it is made; [Compile] makes one. It may be nil. Its microtasks and ticks have run
	// when the runtime is first used. A timer that it sets is one of the first use.
	Program *goja.Program

	// Prepare is called for each runtime after Program, on a goroutine of its own. It may be nil. ctx ends when the pool is
	// shut down. Its panic is an error like one that it returns, an [*eventloop.PanicError]; so is its call of
	// [runtime.Goexit].
	Prepare func(ctx context.Context, rt *Runtime) error

	// Options are those of each runtime. Several runtimes use them at the same time: writers, clients and functions must
	// allow that.
	Options []Option

	// Size is how many runtimes there may be at a time; by default as many as [runtime.GOMAXPROCS] says.
	Size int

	// MaxUses is the number of uses after which a new runtime replaces one. By default every use has a runtime of its own,
	// and cannot see anything of another use.
	//
	// With more, the next use finds the globals, objects and modules of the runtime as the last one left them. Nothing runs on
	// from one use into the next. The pool replaces a runtime that has timers, immediates, asynchronous functions, requests,
	// sources or callbacks under way when a use ends. It also replaces one that has stopped, and one whose use panicked or
	// was ended by its context. (A promise that nothing settles may stay. A later use that settles it resumes what waits for it.)
	MaxUses int

	// Timeout limits each use, without the wait for a runtime. 0 is no limit.
	Timeout time.Duration
}

// A Pool has runtimes ready for calls from many goroutines. Each has a loop and a goroutine of its own, and is used by
// one call at a time. Its methods may be called from any goroutine.
//
// Runtimes that are to be replaced are closed, and new ones made, in the background: a call waits for that only if none is
// ready.
type Pool struct {
	config PoolConfig
	making context.Context // ends when the pool is shut down
	using  context.Context // ends when the shutdown waits no longer
	noMore context.CancelFunc
	cutOff context.CancelFunc

	mu      sync.Mutex
	idle    []*member
	waiting []*waiter // first come, first served
	starts  int       // runtimes that have begun to be made: see waiter
	open    int       // runtimes that there are, or are being made
	stats   PoolStats
	closed  bool
	left    chan struct{} // closed when the pool is closed and open is 0
}

// A member is a runtime of a pool.
type member struct {
	rt   *Runtime
	uses int
}

// A waiter is a call that waits for a runtime. The error of a start is reported to a call that came before the start: a call
// that comes later gets a start of its own.
type waiter struct {
	got   chan grant // has room for one
	after int        // the number of the last start before the call
}

// A grant is the answer to a waiting call: a runtime or an error.
type grant struct {
	*member
	err error
}

// PoolStats tell what a pool does now and has done so far.
type PoolStats struct {
	Idle     int    // runtimes that are ready
	InUse    int    // runtimes that are used by a call
	Making   int    // runtimes that are being made
	Waiting  int    // calls that wait for a runtime
	Uses     uint64 // calls that have had a runtime
	Made     uint64 // runtimes made
	Replaced uint64 // of these, how many have been closed
}

// NewPool makes a pool, and its first runtime: so it returns the errors of Program and Prepare. The others are made when
// they are needed. The pool must be shut down.
func NewPool(ctx context.Context, config PoolConfig) (*Pool, error) {
	if config.Size <= 0 {
		config.Size = runtime.GOMAXPROCS(0)
	}
	p := &Pool{config: config, left: make(chan struct{})}
	p.making, p.noMore = context.WithCancel(context.Background())
	p.using, p.cutOff = context.WithCancel(context.Background())
	p.open = 1
	m, err := p.make(ctx)
	if err != nil {
		return nil, err
	}
	p.idle = append(p.idle, m)
	return p, nil
}

// Do calls fn with a runtime that no other call uses meanwhile. fn runs on the goroutine of the caller. The runtime must
// not be used once fn has returned. The context that fn gets ends with ctx, after the pool's Timeout, and when a shutdown is
// cut short. fn should pass it on to its own calls.
//
// Do returns the error of fn. It returns an *[InterruptError] if ctx ends before there is a runtime, and [ErrPoolClosed] after
// Shutdown. If a runtime cannot be made, it returns the error of Program or Prepare.
func (p *Pool) Do(ctx context.Context, fn func(ctx context.Context, rt *Runtime) error) error {
	m, err := p.take(ctx)
	if err != nil {
		return err
	}
	use, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(p.using, func() { cancel(ErrPoolClosed) })()
	limited, stop := use, context.CancelFunc(func() {})
	if p.config.Timeout > 0 {
		limited, stop = context.WithTimeout(use, p.config.Timeout)
	}
	defer stop()
	returned := false
	defer func() { p.put(m, returned && m.uses < p.config.MaxUses && m.rt.quiescent(limited)) }() // also when fn panics
	err = fn(limited, m.rt)
	returned = true
	return err
}

// CallFunction calls a function of the script in a runtime of the pool: see [Runtime.CallFunction] and [Pool.Do].
func (p *Pool) CallFunction(ctx context.Context, name string, args ...any) (result any, err error) {
	err = p.Do(ctx, func(ctx context.Context, rt *Runtime) error {
		result, err = rt.CallFunction(ctx, name, args...)
		return err
	})
	return result, err
}

// Stats returns what the pool does now and has done so far.
func (p *Pool) Stats() PoolStats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	s.Idle, s.Waiting = len(p.idle), len(p.waiting)
	s.Making = p.open - s.Idle - s.InUse
	return s
}

// Shutdown refuses further calls, those that wait as well, and waits until all runtimes are closed: until the calls that
// have one have ended. If ctx ends first, it ends the contexts of these calls, and returns its cause without waiting for
// them. It may be called any number of times.
func (p *Pool) Shutdown(ctx context.Context) error {
	p.mu.Lock()
	idle, waiting := p.idle, p.waiting
	first := !p.closed
	p.closed, p.idle, p.waiting = true, nil, nil
	if first && p.open == 0 {
		close(p.left)
	}
	p.mu.Unlock()
	for _, w := range waiting {
		w.got <- grant{err: ErrPoolClosed}
	}
	for _, m := range idle {
		p.discard(m)
	}
	p.noMore()
	defer p.cutOff()
	select {
	case <-p.left:
		return nil
	default:
	}
	select {
	case <-p.left:
		return nil
	case <-ctx.Done():
		return &InterruptError{Cause: context.Cause(ctx)}
	}
}

// take waits for a runtime.
func (p *Pool) take(ctx context.Context) (*member, error) {
	if ctx.Err() != nil {
		return nil, &InterruptError{Cause: context.Cause(ctx)}
	}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, ErrPoolClosed
	}
	if n := len(p.idle); n > 0 {
		m := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.use(m)
		p.mu.Unlock()
		return m, nil
	}
	w := &waiter{make(chan grant, 1), p.starts}
	p.waiting = append(p.waiting, w)
	p.grow()
	p.mu.Unlock()
	select {
	case g := <-w.got:
		return g.member, g.err
	case <-ctx.Done():
	}
	p.mu.Lock()
	if i := slices.Index(p.waiting, w); i >= 0 {
		p.waiting = slices.Delete(p.waiting, i, i+1)
		p.mu.Unlock()
		return nil, &InterruptError{Cause: context.Cause(ctx)}
	}
	p.mu.Unlock()
	g := <-w.got // it has been granted, or is about to be
	return g.member, g.err
}

// use counts a runtime as used. The lock is held.
func (p *Pool) use(m *member) {
	m.uses++
	p.stats.Uses++
	p.stats.InUse++
}

// grow makes runtimes in the background, if more calls wait than runtimes are being made. The lock is held.
func (p *Pool) grow() {
	for p.open < p.config.Size && p.open-len(p.idle)-p.stats.InUse < len(p.waiting) {
		p.open++
		p.starts++
		go p.add(p.starts)
	}
}

// add makes a runtime that is counted as open.
func (p *Pool) add(number int) {
	m, err := p.make(p.making)
	if err != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.gone()
		if i := slices.IndexFunc(p.waiting, func(w *waiter) bool { return w.after < number }); i >= 0 {
			p.waiting[i].got <- grant{err: err}
			p.waiting = slices.Delete(p.waiting, i, i+1)
		}
		p.grow() // for the others
		return
	}
	p.give(m)
}

// give makes a runtime ready: for the call that has waited longest, if there is one.
func (p *Pool) give(m *member) {
	p.mu.Lock()
	switch {
	case p.closed:
		p.mu.Unlock()
		p.discard(m)
		return
	case len(p.waiting) > 0:
		p.use(m)
		p.waiting[0].got <- grant{member: m}
		p.waiting = p.waiting[1:]
	default:
		p.idle = append(p.idle, m)
	}
	p.mu.Unlock()
}

// put takes a runtime back. If it cannot be used again, another is made in its place.
func (p *Pool) put(m *member, again bool) {
	p.mu.Lock()
	p.stats.InUse--
	replace := !again && !p.closed
	p.mu.Unlock()
	switch {
	case again:
		p.give(m)
	case replace:
		go func() {
			closeMember(m)
			p.mu.Lock()
			p.stats.Replaced++
			p.starts++
			number := p.starts
			p.mu.Unlock()
			p.add(number)
		}()
	default:
		p.discard(m)
	}
}

// discard closes a runtime for good.
func (p *Pool) discard(m *member) {
	closeMember(m)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stats.Replaced++
	p.gone()
}

// gone counts a runtime as closed. The lock is held.
func (p *Pool) gone() {
	p.open--
	if p.closed && p.open == 0 {
		close(p.left)
	}
}

// make makes a runtime on a loop that runs.
func (p *Pool) make(ctx context.Context) (*member, error) {
	loop := eventloop.New()
	m := &member{rt: New(loop, p.config.Options...)}
	go func() { _ = loop.Run(context.Background()) }() // until closeMember
	err := p.prepare(ctx, m.rt)
	if err != nil {
		closeMember(m)
		return nil, fmt.Errorf("gojaloop: a runtime of the pool cannot be made: %w", err)
	}
	p.mu.Lock()
	p.stats.Made++
	p.mu.Unlock()
	return m, nil
}

func (p *Pool) prepare(ctx context.Context, rt *Runtime) error {
	if p.config.Program != nil {
		err := rt.Do(ctx, func(vm *goja.Runtime) error {
			_, err := vm.RunProgram(p.config.Program)
			return err
		})
		if err != nil {
			return err
		}
	}
	if p.config.Prepare == nil {
		return nil
	}
	// On a goroutine of its own, which Goexit may end: the pool counts on make to return.
	prepared := make(chan error, 1)
	go func() {
		returned := false
		var err error
		defer func() {
			if !returned {
				err = adapter.Failure(recover())
			}
			prepared <- err
		}()
		err = p.config.Prepare(ctx, rt)
		returned = true
	}()
	return <-prepared
}

// closeMember ends a runtime's loop, and waits for that. It drops the runtime's pending work, interrupts
// running scripts, and ends the contexts of operations.
func closeMember(m *member) {
	_ = m.rt.loop.Close() // it has not ended before
	m.rt.vm.Interrupt(ErrStopped)
	<-m.rt.loop.Done()
}

// quiescent reports whether the runtime is ready for another use: it has not stopped, and nothing of the last use will run.
func (rt *Runtime) quiescent(ctx context.Context) (quiet bool) {
	err := rt.onLoop(ctx, func(*goja.Runtime) error {
		quiet = !rt.alive() && !rt.unreferenced && rt.turn.Quiet()
		return nil
	})
	return err == nil && quiet
}
