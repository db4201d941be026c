package promise

import "github.com/eventloop-go/eventloop/internal/sched"

// A line is the coroutines that wait for their turn, in the order of their calls. Its owner's lock guards it.
type line[T any] struct{ first, last *turn[T] }

// A turn is one place in a line.
//
// A turn is in the line or over. A goroutine that takes it out of the line, under the lock, ends it. It ends in one
// of two ways: it was served, and the coroutine gets its value, or the coroutine gave up. A served value is never
// lost: if the context ends at that moment, the coroutine finds its turn over and keeps the value.
//
// The server's writes to the turn happen before the coroutine reads it. If the coroutine gave up, the same lock
// orders them; otherwise the settling of the promise does.
type turn[T any] struct {
	Promise[struct{}] // settled, on the coroutine's loop, when the turn is served
	value             T
	refused           bool // served without a value
	over              bool
	prev, next        *turn[T]
}

// join adds a turn for c. The lock is held.
func (l *line[T]) join(c *Coroutine, value T) *turn[T] {
	t := &turn[T]{value: value, prev: l.last}
	t.start(c.loop)
	if l.last == nil {
		l.first = t
	} else {
		l.last.next = t
	}
	l.last = t
	return t
}

// leave takes t out. The lock is held.
func (l *line[T]) leave(t *turn[T]) {
	if t.prev == nil {
		l.first = t.next
	} else {
		t.prev.next = t.next
	}
	if t.next == nil {
		l.last = t.prev
	} else {
		t.next.prev = t.prev
	}
	t.prev, t.next, t.over = nil, nil, true
}

// serve takes t out and resumes its coroutine. The caller holds the lock, so coroutines of one loop are resumed in
// their order. Settling runs nothing of the program: it queues the coroutine.
func (l *line[T]) serve(t *turn[T]) {
	l.leave(t)
	t.fulfil(struct{}{})
}

// await suspends c until t is over. An error says that the coroutine gave up, and has not been served.
func (l *line[T]) await(c *Coroutine, mu *sched.Mutex, t *turn[T]) error {
	_, err := Await(c, &t.Promise)
	if err == nil {
		return nil
	}
	mu.Lock()
	defer mu.Unlock()
	if t.over {
		return nil
	}
	l.leave(t)
	return err
}

// mustRun panics if the function of c is not running, as [Await] does: a call that needs not wait is the same mistake.
func (c *Coroutine) mustRun(call string) {
	if !c.co.Running() {
		panic("promise: " + call + " called from outside its coroutine")
	}
}
