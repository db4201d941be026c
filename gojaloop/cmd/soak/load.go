package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/loopnet"
)

// A load is the common state of its workers.
type load struct {
	config
	loops    []*eventloop.Loop // they live all the time
	renewed  *eventloop.Loop   // replaced in each pause
	ended    sync.WaitGroup    // goroutines of the loops
	listener *loopnet.Listener
	pool     *gojaloop.Pool

	ledgers          []*ledger
	accepted         *ledger // connections that the server has accepted
	faults, reported atomic.Int64
	strange          ledger // unexpected panics, and loops that failed
	nothing          sync.WaitGroup
}

var errFault = errors.New("soak: a fault that is meant")

// fault panics in one of a hundred calls. On a loop with a limited life it may call Goexit instead, because each such
// call costs a loop some stack until it ends.
func (s *load) fault(l *eventloop.Loop) {
	if rand.IntN(100) > 0 {
		return
	}
	s.faults.Add(1)
	if rand.IntN(2) > 0 && !slices.Contains(s.loops, l) {
		runtime.Goexit()
	}
	panic(errFault)
}

func (s *load) report(e *eventloop.PanicError) {
	if e.Value == errFault || e.Value == eventloop.ErrGoexit {
		s.reported.Add(1)
		return
	}
	s.strange.check(false, "%v\n%s", e, e.Stack)
}

// start makes a loop and runs it on a goroutine of its own.
func (s *load) start() *eventloop.Loop {
	l := eventloop.New(inspect.WithMetrics(), eventloop.WithPanicHandler(s.report))
	s.ended.Add(1)
	go func() {
		defer s.ended.Done() // Goexit in a callback ends this goroutine when the loop has ended
		err := l.Run(context.Background())
		ended := errors.Is(err, eventloop.ErrLoopClosed) || errors.Is(err, eventloop.ErrLoopTerminated) // closed before it began
		s.strange.check(err == nil || ended, "Run: %v", err)
	}()
	return l
}

// loop returns one of those that live all the time, or the other one.
func (s *load) loop() *eventloop.Loop {
	if n := rand.IntN(len(s.loops) + 1); n < len(s.loops) {
		return s.loops[n]
	}
	return s.renewed
}

// renew replaces the loop that does not live all the time. No worker may be using it.
func (s *load) renew(ctx context.Context) error {
	err := s.renewed.Shutdown(ctx)
	s.renewed = s.start()
	return err
}

func newLoad(c config) (*load, error) {
	s := &load{config: c, strange: ledger{name: "loops"}}
	for range c.loops {
		s.loops = append(s.loops, s.start())
	}
	s.renewed = s.start()
	s.accepted = s.kind("accepted")
	var err error
	if s.listener, err = s.listen(); err == nil {
		s.pool, err = newPool()
	}
	return s, err
}

// close ends everything that lives all the time.
func (s *load) close(ctx context.Context) error {
	var errs []error
	if s.pool != nil {
		errs = append(errs, s.pool.Shutdown(ctx))
	}
	if s.listener != nil {
		errs = append(errs, s.listener.Close())
	}
	for _, l := range append(s.loops, s.renewed) {
		errs = append(errs, l.Shutdown(ctx))
	}
	return errors.Join(errs...)
}

func (s *load) kind(name string) *ledger {
	l := &ledger{name: name}
	s.ledgers = append(s.ledgers, l)
	return l
}

// settled reports whether all that was begun has ended, and waits for it a while.
func (s *load) settled(ctx context.Context) bool {
	for {
		left := int64(0)
		for _, l := range s.ledgers {
			left += l.begun.Load() - l.ended.Load()
		}
		if left == 0 && s.faults.Load() == s.reported.Load() {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// A burst begins some items, and returns when they have ended.
type burst func(*ledger)

// A kind is a load, with how many goroutines bring it about.
type kind struct {
	name    string
	workers int
	burst   burst
}

// kinds are the loads that this system can have.
func (s *load) kinds() []kind {
	all := []kind{
		{"tasks", 4, s.tasks},
		{"timers", 2, s.timers},
		{"rearmed", 2, s.rearmed},
		{"repeats", 2, s.repeats},
		{"promises", 2, s.promises},
		{"coroutines", 2, s.coroutines},
		{"connections", 2, s.connections},
		{"pipes", 1, s.pipes},
		{"scripts", 2, s.scripts},
		{"lives", 1, s.lives},
	}
	if runtime.GOOS == "windows" { // it reports only sockets
		all = slices.DeleteFunc(all, func(k kind) bool { return k.name == "pipes" })
	}
	return all
}
