package eventloop

import (
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// KeepAlive keeps a loop with [WithAutoExit] from ending by itself until release is called. Take one before the start of
// a goroutine whose result the loop waits for, and release it when the result has been submitted. It does not hold up
// [Loop.Shutdown] or [Loop.Close].
//
// Any goroutine may call release. A second call does nothing. With an error, release does nothing and is not nil.
//
// Errors: [ErrLoopTerminated], [ErrInvalid].
func (l *Loop) KeepAlive() (release func(), err error) {
	k, err := l.keepAlive()
	if err != nil {
		return func() {}, err
	}
	return k.Release, nil
}

// A keepAlive is one reference that keeps the loop open.
type keepAlive struct {
	loop     *Loop
	released sched.Bool
}

func (l *Loop) keepAlive() (*keepAlive, error) {
	if err := l.hold(); err != nil {
		return nil, err
	}
	k := &keepAlive{loop: l}
	if l.creations != nil {
		l.creations.took(k, l.now())
	}
	return k, nil
}

// Release gives the reference back, once.
func (k *keepAlive) Release() {
	if k.released.Swap(true) {
		return
	}
	if k.loop.creations != nil {
		k.loop.creations.gave(k)
	}
	k.loop.release()
}

func (v view) KeepAlive() (inside.KeepAlive, error) {
	k, err := v.keepAlive()
	if err != nil {
		return nil, err
	}
	return k, nil
}

// hold adds a reference that keeps the loop open.
func (l *Loop) hold() error {
	l.in.mu.lock()
	defer l.in.mu.unlock()
	if !l.in.accepting() {
		return l.in.refusal()
	}
	l.live.Add(1)
	return nil
}

// release drops a reference that keeps the loop open, and wakes the loop if it may have to end.
//
// The count is raised under the ingress lock, where the owner also decides to end; it is lowered anywhere, before the
// lock that wake takes. So the owner either sees zero, or is woken to see it.
func (l *Loop) release() {
	if l.live.Add(-1) == 0 && l.autoExit {
		l.wake()
	}
}
