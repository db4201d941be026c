package inside

import "github.com/eventloop-go/eventloop/internal/sched"

// Waiters are the goroutines that wait for an event of the loop: the end of a call, or the outcome of a promise.
//
// Protocol. A goroutine takes a Waiter with Begin, hands it to its waker, waits, and gives it back with End. The waker
// calls Wake, once; Close wakes all that are still in the list. The channel has room for one token, so waking never
// blocks. Begin reuses a Waiter whose token was received. Only Close could put another token there, and after Close
// Begin returns none.
//
// The list leaves the end of the loop out of each wait. A select with one channel less saves 80 ns; the list takes 20.
type Waiters struct {
	mu     sched.Mutex
	first  *Waiter
	spare  *Waiter
	closed bool
}

// A Waiter is one of them.
type Waiter struct {
	Woken      chan struct{} // capacity 1
	prev, next *Waiter
}

// Begin returns a Waiter, or nil if the loop has ended.
func (ws *Waiters) Begin() *Waiter {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.closed {
		return nil
	}
	w := ws.spare
	ws.spare = nil
	if w == nil {
		w = &Waiter{Woken: make(chan struct{}, 1)}
	}
	if w.next = ws.first; w.next != nil {
		w.next.prev = w
	}
	ws.first = w
	return w
}

// Wait waits until the Waiter is woken, and returns true, or until cancelled is closed. The end of the loop may also
// have woken the Waiter.
func (w *Waiter) Wait(cancelled <-chan struct{}) bool {
	if cancelled == nil {
		sched.Receive(w.Woken)
		return true
	}
	return sched.WaitAny(w.Woken, cancelled, nil) == 0
}

// Wake wakes the goroutine that waits, or is about to.
func (w *Waiter) Wake() { sched.TrySend(w.Woken) }

// End gives w back. Free says that only Close can still wake it: its token was received, or it was not handed on.
func (ws *Waiters) End(w *Waiter, free bool) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if w.prev != nil {
		w.prev.next = w.next
	} else {
		ws.first = w.next
	}
	if w.next != nil {
		w.next.prev = w.prev
	}
	w.prev, w.next = nil, nil
	if free {
		ws.spare = w
	}
}

// Close wakes all waiters. Later goroutines get nil from Begin.
func (ws *Waiters) Close() {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.closed = true
	for w := ws.first; w != nil; w = w.next {
		w.Wake()
	}
}
