package js

import (
	"cmp"
	"container/list"
	"slices"
	"weak"

	"github.com/eventloop-go/eventloop/internal/sched"
)

// An AbortSignal reports that an operation is to be abandoned: the interface AbortSignal (DOM 3.2). It comes from an
// [AbortController], or from one of the functions of [Env] whose names begin with AbortSignal. It is an [EventTarget]
// with one type of event, "abort".
//
// Its methods may be called from any goroutine; listeners are called on the loop. A signal may abort at any time,
// also between two statements of a callback, if other goroutines abort it.
//
// Protocol. The state is written once, under mu, the lock of the event target, and read without the lock. The other
// fields are guarded by mu. Aborting marks the signal under mu, and takes its algorithms, dependents and listeners in
// the same critical section. So a later addition finds the signal aborted, and an earlier one is notified.
//
// A dependent's lock may be held when a source's lock is taken, never the other way round. Sources are not dependents
// themselves, so no more than two locks are held at once.
//
// Memory. A source refers weakly to its dependents, except to those with listeners: it keeps these, because their
// listeners must be called even if nothing else refers to them. A cleanup removes a collected dependent. Dependents
// refer to their sources normally.
type AbortSignal struct {
	EventTarget
	state sched.Pointer[abortion] // nil until it aborts

	algorithms list.List   // of func(), to be called when it aborts
	timer      *expiration // that will abort it, if it is a timeout

	// Of a dependent.
	self    weakSignal
	number  uint64 // in order of making
	sources []*AbortSignal

	// Of a source.
	dependents map[weakSignal]struct{}
	kept       map[weakSignal]*AbortSignal // the dependents that something waits for
	crowded    int                         // the length at which it looks for some that are over
}

type weakSignal = weak.Pointer[AbortSignal]

// An abortion is the state of a signal that has aborted.
type abortion struct{ reason error }

func (e *Env) newSignal() *AbortSignal {
	s := new(AbortSignal)
	s.env, s.signal = e, s
	return s
}

// AbortSignalAbort makes a signal that has aborted, with a reason; nil means [ErrAbort]: AbortSignal.abort. Any
// goroutine may call it.
func (e *Env) AbortSignalAbort(reason error) *AbortSignal {
	s := e.newSignal()
	s.state.Store(&abortion{reasonOr(reason)})
	return s
}

// Aborted reports whether the signal has aborted. It costs one atomic load.
func (s *AbortSignal) Aborted() bool { return s.state.Load() != nil }

// Reason returns why the signal has aborted, nil if it has not.
func (s *AbortSignal) Reason() error {
	if a := s.state.Load(); a != nil {
		return a.reason
	}
	return nil
}

// ThrowIfAborted is [AbortSignal.Reason], named for where JavaScript would throw it: at the steps of an operation that
// can be aborted.
func (s *AbortSignal) ThrowIfAborted() error { return s.Reason() }

// follow adds an algorithm, a function to be called once when the signal aborts, by the goroutine that aborts it. It
// must be short and must not panic. stop removes it, from any goroutine and any number of times. If the signal has
// aborted, ok is false.
func (s *AbortSignal) follow(fn func()) (stop func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Aborted() {
		return nil, false
	}
	place := s.algorithms.PushBack(fn)
	s.keep()
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.algorithms.Remove(place) // which does nothing the second time
		s.keep()
	}, true
}

func (s *AbortSignal) runAlgorithms() {
	for {
		s.mu.Lock()
		first := s.algorithms.Front()
		if first == nil {
			s.mu.Unlock()
			return
		}
		fn := s.algorithms.Remove(first).(func())
		s.mu.Unlock()
		fn()
	}
}

// mark makes the signal aborted and takes its dependents from it. It reports false if it has aborted already.
func (s *AbortSignal) mark(a *abortion) (dependents []*AbortSignal, ok bool) {
	s.mu.Lock()
	if s.Aborted() {
		s.mu.Unlock()
		return nil, false
	}
	s.state.Store(a)
	for w := range s.dependents {
		if d := w.Value(); d != nil {
			dependents = append(dependents, d)
		}
	}
	sources := s.sources
	s.sources, s.dependents, s.kept = nil, nil, nil
	if s.timer != nil {
		s.timer.signal = nil
	}
	s.mu.Unlock()

	for _, source := range sources {
		source.forget(s.self)
	}
	slices.SortFunc(dependents, func(a, b *AbortSignal) int { return cmp.Compare(a.number, b.number) })
	return dependents, true
}

// keep decides whether the signal must be kept from the garbage collector: it has not aborted, and something waits
// for that. In this case its sources refer to it. keep is called whenever that may have changed, with the lock held.
func (s *AbortSignal) keep() {
	if s.Aborted() {
		return
	}
	var strong *AbortSignal
	if s.algorithms.Len() > 0 || s.lists[abortEvent] != nil || len(s.kept) > 0 {
		strong = s
	}
	if s.timer != nil {
		s.timer.signal = strong
	}
	for _, source := range s.sources {
		source.keepDependent(s.self, strong)
	}
}
