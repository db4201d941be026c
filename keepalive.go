package eventloop

import (
	"github.com/eventloop-go/eventloop/internal/sched"
)

// A KeepAlive holds a loop with [WithAutoExit] open while work is in flight elsewhere: take one before starting the
// goroutine, release it when the result has been submitted.
type KeepAlive struct {
	loop     *Loop
	released sched.Bool
}

// KeepAlive takes a token that keeps the loop from ending by itself until it is released. It does not hold up
// [Loop.Shutdown] or [Loop.Close].
//
// Errors: [ErrLoopTerminated], [ErrZeroLoop].
func (l *Loop) KeepAlive() (*KeepAlive, error) {
	in := &l.in
	in.mu.lock()
	defer in.mu.unlock()
	if !in.accepting() {
		return nil, in.refusal()
	}
	l.live.Add(1)
	k := &KeepAlive{loop: l}
	if l.creations != nil {
		l.creations.took(k, l.now())
	}
	return k, nil
}

// Release gives the token back. A token is good for one release: the second returns [ErrReleased] and does nothing;
// so does that of a zero KeepAlive.
func (k *KeepAlive) Release() error {
	if k.loop == nil || k.released.Swap(true) {
		return ErrReleased
	}
	if k.loop.creations != nil {
		k.loop.creations.gave(k)
	}
	k.loop.release()
	return nil
}

// release takes one from the count of what keeps the loop open, and wakes it if it may have to end.
//
// The count is raised under the ingress lock, where the owner also decides to end; it is lowered anywhere, before the
// lock that nudge takes. So the owner either sees zero, or is woken to see it.
func (l *Loop) release() {
	if l.live.Add(-1) == 0 && l.autoExit {
		l.nudge()
	}
}
