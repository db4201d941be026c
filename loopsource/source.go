// Package loopsource brings many events from goroutines to a loop, in order and with back-pressure.
package loopsource

import (
	"container/list"
	"context"
	"errors"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/queue"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// ErrClosed says that a [Source] takes no more events, since it was closed.
var ErrClosed = errors.New("loopsource: the source is closed")

// WhenFull is the rule of a [Source] for an event that does not fit.
type WhenFull uint8

// The rules for an event that does not fit into a full source.
const (
	Wait       WhenFull = iota // Send waits for room, TrySend refuses
	DropOldest                 // the event that has waited longest makes room
	DropNewest                 // the new event is dropped
)

// A Source brings many events from goroutines to a loop: messages of a connection, ticks, signals. At most as many as
// its capacity wait for the loop, so a fast producer does not fill the memory. (For a single
// event use a promise.)
//
// Events run in the order in which they were sent, also those of senders that waited. Each is a callback of its own,
// with ticks and microtasks after it. They run in batches of at most 64 events, between which other work of the loop
// runs. If one panics, the loop calls the panic handler and runs the next.
//
// An accepted event runs before Run returns after a graceful shutdown, unless the rule for a full source drops it.
// The source does not delay that shutdown. While it is open it keeps a loop with [eventloop.WithAutoExit] open,
// unless Unref was called. All methods may be called from any goroutine. Sending costs no allocation, unless it has
// to wait.
type Source[T any] struct {
	loop     inside.Loop
	handle   func(T)
	capacity int
	full     WhenFull
	deliver  func() // run
	step     func() // handleCurrent
	current  T      // the event that runs next; the loop's
	done     chan struct{}
	forget   func() bool // the loop's end

	mu        sched.Mutex // taken before the ingress lock
	events    queue.FIFO[T]
	waiting   list.List        // of *sender[T]
	scheduled bool             // deliver is in the loop's queue, or runs: so it is if there are events
	closed    error            // why events are refused; nil while the source is open
	alive     inside.KeepAlive // nil if unreferenced, or closed
	stats     Stats
}

// Stats counts the events of a [Source]. Sent is the sum of Delivered, Dropped and Queued.
type Stats struct {
	Sent      uint64 // for which Send or TrySend returned nil
	Delivered uint64 // the callback has begun
	Dropped   uint64 // because the source was full, or the loop was closed
	Refused   uint64 // for which Send or TrySend returned an error
	Queued    int    // waiting for the loop
	Senders   int    // waiting for room, in Send
}

// sourceBatch is how many events run before other work of the loop does.
const sourceBatch = 64

// A sender waits for room. The source decides its outcome with its lock held, and closes ready.
type sender[T any] struct {
	event T
	ready chan struct{}
	err   error
	told  bool
	place *list.Element
}

// New makes a source whose events handle is called with, on the loop. At most capacity events wait for the loop at a
// time; with a capacity below one any number may.
//
// Errors: [eventloop.ErrLoopTerminated], [eventloop.ErrInvalid].
func New[T any](loop *eventloop.Loop, capacity int, full WhenFull, handle func(T)) (*Source[T], error) {
	if handle == nil {
		return nil, inside.ErrNilCallback
	}
	view := inside.Of(loop)
	alive, err := view.KeepAlive()
	if err != nil {
		return nil, err
	}
	s := &Source[T]{loop: view, handle: handle, capacity: capacity, full: full, done: make(chan struct{}), alive: alive}
	s.deliver, s.step = s.run, s.handleCurrent
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget = sched.AfterContext(view.Context(), s.loopEnded)
	return s, nil
}

// Done returns a channel that is closed when the source takes no more events, after Close or when the loop has ended.
// Producers can then stop.
func (s *Source[T]) Done() <-chan struct{} { return s.done }

// Send hands an event to the loop, and does not wait until it has run. If the source is full and the rule is [Wait], it
// waits for room; senders get it in the order in which they came.
//
// Errors: [ErrClosed]; [eventloop.ErrLoopTerminated] once a shutdown has begun. If ctx has ended, or ends first, the
// error matches its error and its cause. [eventloop.ErrOnLoop] says that Send would have to wait on the loop, which
// alone makes room. If the loop is not running, the error at the end of ctx matches [eventloop.ErrLoopNotRunning]
// too. An event with an error never runs.
func (s *Source[T]) Send(ctx context.Context, event T) error {
	if ctx.Err() != nil {
		return s.refuse(inside.ContextError(ctx))
	}
	w, err := s.send(event, true)
	if w == nil {
		return err
	}
	ctx, release, err := s.loop.MayWait(ctx)
	if err != nil {
		return s.giveUp(w, err)
	}
	if release != nil {
		defer release()
	}
	if sched.WaitAny(w.ready, ctx.Done(), nil) == 1 {
		return s.giveUp(w, s.loop.WaitError(ctx))
	}
	return w.err
}

// TrySend is Send that never waits: if the source is full and the rule is [Wait], it returns [eventloop.ErrQueueFull].
func (s *Source[T]) TrySend(event T) error {
	_, err := s.send(event, false)
	return err
}

// send accepts the event, or refuses it, or returns a sender that is among those who wait.
func (s *Source[T]) send(event T, wait bool) (*sender[T], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.capacity > 0 && s.events.Len() >= s.capacity && s.closed == nil && s.loop.Accepting() {
		switch {
		case s.full == DropNewest:
			s.stats.Sent++
			s.stats.Dropped++
			return nil, nil
		case s.full == DropOldest:
			s.events.Pop()
			s.stats.Dropped++
			// Not by accept, which may refuse by now: then dropping the oldest event would be useless. Deliver is in
			// the loop's queue.
			s.events.Push(event)
			s.stats.Sent++
			return nil, nil
		case wait:
			w := &sender[T]{event: event, ready: make(chan struct{})}
			w.place = s.waiting.PushBack(w)
			return w, nil
		default:
			s.stats.Refused++
			return nil, eventloop.ErrQueueFull
		}
	}
	err := s.accept(event)
	if err != nil {
		s.stats.Refused++
	}
	return nil, err
}

// accept queues an event. The lock is held.
//
// As long as there are events, deliver is in the loop's queue: that makes an accepted event one that runs. It is put there
// with the first, while the lock is held, and stays until it has found none.
func (s *Source[T]) accept(event T) error {
	switch {
	case s.closed != nil:
		return s.closed
	case !s.loop.Accepting():
		return eventloop.ErrLoopTerminated
	case !s.scheduled:
		if err := s.loop.Post(s.deliver, false); err != nil {
			return err
		}
		s.scheduled = true
	}
	s.events.Push(event)
	s.stats.Sent++
	return nil
}

// refuse counts an event that is refused.
func (s *Source[T]) refuse(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stats.Refused++
	return err
}

// giveUp ends the wait of a sender, unless its outcome has been decided.
func (s *Source[T]) giveUp(w *sender[T], err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if w.told {
		return w.err
	}
	s.waiting.Remove(w.place)
	s.stats.Refused++
	return err
}

// run runs a batch of events on the loop.
func (s *Source[T]) run() {
	defer s.next() // also if an event calls Goexit
	for range sourceBatch {
		event, ok := s.take()
		if !ok {
			return
		}
		s.current = event
		if !s.loop.Callback(s.step) {
			return
		}
	}
}

func (s *Source[T]) handleCurrent() {
	event := s.current
	var none T
	s.current = none
	s.handle(event)
}

// take takes the oldest event, and lets the first sender that waits have its place.
func (s *Source[T]) take() (event T, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.events.Len() == 0 {
		return event, false
	}
	event = s.events.Pop()
	s.stats.Delivered++
	s.admit()
	return event, true
}

// admit lets senders in as long as there is room. The lock is held.
func (s *Source[T]) admit() {
	for s.waiting.Len() > 0 && s.events.Len() < s.capacity {
		w := s.waiting.Front().Value.(*sender[T])
		s.tell(w, s.accept(w.event))
	}
}

// tell ends the wait of a sender. The caller holds the lock.
func (s *Source[T]) tell(w *sender[T], err error) {
	w.err, w.told = err, true
	s.waiting.Remove(w.place)
	if err != nil {
		s.stats.Refused++
	}
	sched.Close(w.ready)
}

// next has the loop come back for the rest.
func (s *Source[T]) next() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.events.Len() == 0 {
		s.events.Trim()
		s.scheduled = false
		s.settle()
		return
	}
	_ = s.loop.Post(s.deliver, true) // refused after Loop.Close: loopEnded counts the rest
}

// Close ends the source, from the producers' side or the loop's. Events that were accepted run; senders that wait get
// [ErrClosed]. After those events the source keeps the loop open no longer. Closing again does nothing.
func (s *Source[T]) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.close(ErrClosed)
	s.settle()
}

// settle lets the loop forget a source that has come to its end. The lock is held.
func (s *Source[T]) settle() {
	if s.closed != nil && s.events.Len() == 0 {
		s.forget()
	}
}

func (s *Source[T]) close(why error) {
	if s.closed != nil {
		return
	}
	s.closed = why
	for s.waiting.Len() > 0 {
		s.tell(s.waiting.Front().Value.(*sender[T]), why)
	}
	s.release()
	sched.Close(s.done)
}

// loopEnded drops the remaining events of an ended loop.
func (s *Source[T]) loopEnded() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stats.Dropped += uint64(s.events.Len())
	s.events = queue.FIFO[T]{}
	s.close(eventloop.ErrLoopTerminated)
}

// Unref lets a loop with [eventloop.WithAutoExit] end while the source is open and no event waits. Ref undoes it; on a loop that is
// ending it does nothing.
func (s *Source[T]) Unref() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.release()
}

// Ref makes an open source keep the loop open, as it does when it is new.
func (s *Source[T]) Ref() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed == nil && s.alive == nil {
		s.alive, _ = s.loop.KeepAlive()
	}
}

func (s *Source[T]) release() {
	if s.alive != nil {
		s.alive.Release()
		s.alive = nil
	}
}

// Stats counts the events so far.
func (s *Source[T]) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	stats := s.stats
	stats.Queued, stats.Senders = s.events.Len(), s.waiting.Len()
	return stats
}
