package promise

import (
	"weak"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// A bridge is a reaction that a promise needs only one of, however often it is asked for.
type bridge interface {
	abandonable
	bridge()
}

// attachOnce attaches the node of create, unless the promise already has the same bridge. It reports false if p is
// settled. It may call create and still find the same bridge.
func (p *Promise[T]) attachOnce(same func(inside.Job) bool, create func() *node) (pending bool) {
	var n *node
	for {
		switch head := p.word.Load(); head {
		case nil, &touched:
			if n == nil {
				n = create()
			}
			if p.word.CompareAndSwap(head, n) {
				return true
			}
		case &fulfilled:
			return false
		case &busy, &contended:
			awaitUnlocked(&p.word)
		default:
			if !p.word.CompareAndSwap(head, &busy) {
				continue
			}
			if _, rejected := head.job.(*rejection); rejected {
				unlock(&p.word, head)
				return false
			}
			found := hasBridge(head, same)
			if !found && n != nil {
				next := join(head, n, true, p.loop)
				if s, ok := next.job.(*reactions); ok {
					s.bridges = append(s.bridges, n)
				}
				unlock(&p.word, next)
				return true
			}
			unlock(&p.word, head)
			if found {
				return true
			}
			n = create()
		}
	}
}

// hasBridge looks for a bridge among the reactions. The word is locked.
func hasBridge(head *node, same func(inside.Job) bool) bool {
	s, ok := head.job.(*reactions)
	if !ok {
		return !abandoned(head) && same(head.job)
	}
	for _, n := range s.bridges {
		if !abandoned(n) && same(n.job) {
			return true
		}
	}
	return false
}

// An ender is notified when a loop ends.
type ender interface {
	end()
	// over reports that a notification would have no effect.
	over() bool
}

// An ending notifies its enders when a loop ends. The loop keeps the list and tidies it only when it has doubled, so
// an ender must not keep a promise that is otherwise unreachable.
type ending struct {
	mu     sched.Mutex
	ended  bool
	enders []ender
	limit  int
}

// endings finds the ending of each loop that has one.
var endings struct {
	mu    sched.Mutex
	loops map[weak.Pointer[eventloop.Loop]]*ending
	limit int
}

// onEnd notifies e when the loop has ended.
func onEnd(loop *core, e ender) {
	if endingOf(public(loop)).add(e) {
		e.end()
	}
}

func endingOf(loop *eventloop.Loop) *ending {
	key := weak.Make(loop)
	endings.mu.Lock()
	defer endings.mu.Unlock()
	e := endings.loops[key]
	if e != nil {
		return e
	}
	if len(endings.loops) >= endings.limit {
		for key := range endings.loops {
			if key.Value() == nil {
				delete(endings.loops, key)
			}
		}
		endings.limit = max(2*len(endings.loops), leastLimit)
	}
	if endings.loops == nil {
		endings.loops = map[weak.Pointer[eventloop.Loop]]*ending{}
	}
	e = &ending{limit: leastLimit}
	endings.loops[key] = e
	sched.AfterContext(inside.Of(loop).Context(), func() {
		endings.mu.Lock()
		delete(endings.loops, key)
		endings.mu.Unlock()
		e.end()
	})
	return e
}

// add reports true if the loop has ended.
func (e *ending) add(x ender) (ended bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ended {
		return true
	}
	if len(e.enders) >= e.limit {
		live := e.enders[:0]
		for _, x := range e.enders {
			if !x.over() {
				live = append(live, x)
			}
		}
		clear(e.enders[len(live):])
		e.enders, e.limit = live, max(2*len(live), leastLimit)
	}
	e.enders = append(e.enders, x)
	return false
}

func (e *ending) end() {
	e.mu.Lock()
	e.ended = true
	enders := e.enders
	e.enders = nil
	e.mu.Unlock()
	for _, x := range enders {
		x.end()
	}
}
