package js

import (
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// An EventTarget calls listeners when events are dispatched to it: the interface EventTarget (DOM 2.7). Make one with
// [Env.NewEventTarget].
//
// Listeners may be added and removed from any goroutine. Events are dispatched, and listeners called, on the loop.
//
// Protocol. mu guards the lists. A removed registration keeps its link to the next one, and links are only made at
// the end of a list. So a walk may release mu between two steps. From any registration, removed or not, it reaches
// all later ones that are still there. Registrations added since the walk began have a number above the one that it
// noted then. This has the effect of the standard's copy of the list, without a copy.
type EventTarget struct {
	env    *Env
	signal *AbortSignal // the signal that this is the target of, nil for others

	mu    sched.Mutex
	lists map[string]*listenerList
	known map[listenerKey]*registration
	last  uint64 // number of the latest registration
}

// A Listener is a function to be called with events: the callback interface EventListener. A listener's identity is
// its pointer: pass the same pointer to remove it.
type Listener struct{ fn func(*Event) }

// NewListener makes a listener of a function.
func NewListener(fn func(*Event)) *Listener { return &Listener{fn} }

// listenerKey identifies a registration with one target.
type listenerKey struct {
	typ      string
	listener *Listener
	capture  bool
}

type registration struct {
	listenerKey
	once, passive bool
	signal        *AbortSignal // removes it, see WithSignal

	number     uint64
	removed    bool
	release    func() // makes the signal forget it
	prev, next *registration
}

type listenerList struct{ head, tail *registration }

// A ListenerOption says how a listener is added: a member of AddEventListenerOptions.
type ListenerOption func(*registration)

// WithCapture has the listener called before those without it. With and without it, a listener is two.
func WithCapture() ListenerOption { return func(r *registration) { r.capture = true } }

// WithOnce removes the listener when it is called for the first time.
func WithOnce() ListenerOption { return func(r *registration) { r.once = true } }

// WithPassive promises that the listener does not call [Event.PreventDefault]: that then does nothing.
func WithPassive() ListenerOption { return func(r *registration) { r.passive = true } }

// WithSignal removes the listener when the signal aborts. If it has aborted already, the listener is not added. A nil
// signal never does.
func WithSignal(s *AbortSignal) ListenerOption { return func(r *registration) { r.signal = s } }

// NewEventTarget makes a target without listeners. Any goroutine may call it.
func (e *Env) NewEventTarget() *EventTarget { return &EventTarget{env: e} }

func register(typ string, l *Listener, opts []ListenerOption) *registration {
	r := &registration{listenerKey: listenerKey{typ: typ, listener: l}}
	for _, o := range opts {
		if o != nil {
			o(r)
		}
	}
	return r
}

// AddEventListener adds a listener for events of a type, behind the present ones. It does nothing if the same
// listener is already registered for that type with the same WithCapture; other options do not matter. A listener
// added while an event is being dispatched is not called for that event. Any goroutine may call it; its cost does not
// grow with the number of listeners.
//
// Errors: [eventloop.ErrInvalid].
func (t *EventTarget) AddEventListener(typ string, l *Listener, opts ...ListenerOption) error {
	if l == nil || l.fn == nil {
		return inside.ErrNilCallback
	}
	r := register(typ, l, opts)
	if r.signal != nil && r.signal.Aborted() || !t.add(r) || r.signal == nil {
		return nil
	}
	release, ok := r.signal.follow(func() { t.remove(r) })
	if !ok { // it has aborted meanwhile
		t.remove(r)
		return nil
	}
	t.mu.Lock()
	removed := r.removed
	if !removed {
		r.release = release
	}
	t.mu.Unlock()
	if removed {
		release()
	}
	return nil
}

// RemoveEventListener removes a listener; of the options only [WithCapture] counts. It is not called any more, not even
// for an event that is being dispatched. Nothing happens if it is not there. Any goroutine may call it, but from
// elsewhere than the loop a call of the listener may be in progress.
func (t *EventTarget) RemoveEventListener(typ string, l *Listener, opts ...ListenerOption) {
	t.mu.Lock()
	r := t.known[register(typ, l, opts).listenerKey]
	t.mu.Unlock()
	if r != nil {
		t.remove(r)
	}
}

// add appends a registration, and reports false if there is one like it.
func (t *EventTarget) add(r *registration) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known[r.listenerKey] != nil {
		return false
	}
	if t.known == nil {
		t.known, t.lists = make(map[listenerKey]*registration), make(map[string]*listenerList)
	}
	t.known[r.listenerKey] = r
	t.last++
	r.number = t.last
	list := t.lists[r.typ]
	if list == nil {
		list = new(listenerList)
		t.lists[r.typ] = list
	}
	if r.prev = list.tail; r.prev != nil {
		r.prev.next = r
	} else {
		list.head = r
	}
	list.tail = r
	t.listened(r.typ)
	return true
}

func (t *EventTarget) remove(r *registration) {
	t.mu.Lock()
	release := t.unlink(r)
	t.mu.Unlock()
	if release != nil {
		release()
	}
}

// unlink takes a registration out of its list. The caller holds the lock. After unlocking, it calls release, if that
// is not nil. Release takes the lock of a signal, which may be this very target's.
func (t *EventTarget) unlink(r *registration) (release func()) {
	if r.removed {
		return nil
	}
	r.removed = true
	delete(t.known, r.listenerKey)
	list := t.lists[r.typ]
	if r.prev != nil {
		r.prev.next = r.next
	} else {
		list.head = r.next
	}
	if r.next != nil {
		r.next.prev = r.prev
	} else {
		list.tail = r.prev
	}
	r.prev = nil
	if list.head == nil {
		delete(t.lists, r.typ)
	}
	t.listened(r.typ)
	release, r.release = r.release, nil
	return release
}

// listened notifies a signal that the number of listeners for a type has changed. The caller holds the lock.
func (t *EventTarget) listened(typ string) {
	if t.signal != nil && typ == abortEvent {
		t.signal.keep()
	}
}

// listens reports whether there is a listener for a type.
func (t *EventTarget) listens(typ string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lists[typ] != nil
}
