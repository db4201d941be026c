package turn

// queue is process.nextTick's.
type queue[T any] struct {
	items []T
	next  int
}

func (q *queue[T]) empty() bool { return q.next == len(q.items) }

func (q *queue[T]) push(t T) { q.items = append(q.items, t) }

func (q *queue[T]) pop() T {
	t := q.items[q.next]
	clear(q.items[q.next : q.next+1])
	if q.next++; q.next == len(q.items) {
		q.items, q.next = q.items[:0], 0
	} else if q.next >= 1024 && q.next > len(q.items)/2 {
		// A chain that never empties the queue must not let it grow.
		n := copy(q.items, q.items[q.next:])
		clear(q.items[n:])
		q.items, q.next = q.items[:n], 0
	}
	return t
}

// drainTicks runs ticks, including those that ticks add, until the queue is empty.
func (t *Turn[T, P]) drainTicks() {
	at := t.place()
	for !t.ticks.empty() && !t.Stopped {
		tick := t.ticks.pop()
		t.Stats.Ticks++
		if t.host.RunTick(tick) {
			continue
		}
		if t.host.Interrupting() {
			return
		}
		if at = t.runAhead(at); at == atCheck || at == inCheck {
			t.env.Hooks().CheckFirst()
		}
	}
}

// A place is where in Node's loop ticks are run. When one throws, Node comes back to those that are left only at the next
// place: behind another callback, or at the beginning of the check phase.
type place uint8

const (
	inPhase     place = iota // behind a timer or an immediate
	behindCheck              // behind the check phase, or the main script; or behind a timer that was run ahead
	behindPoll
	atCheck // at the beginning of the check phase
	inCheck // behind an immediate that was run ahead
)

// place is where the callback in progress is.
func (t *Turn[T, P]) place() place {
	switch {
	case t.phase != nil:
		return inPhase
	case t.Main:
		return behindCheck
	}
	return behindPoll
}

// runAhead goes from a place to the next, and runs the callback between them, if there is one. Promise jobs would have to
// be left as well, but the engine runs them as soon as it is left itself. So the callback is run before that, ahead of
// its time.
func (t *Turn[T, P]) runAhead(at place) place {
	switch at {
	case inPhase:
		if t.phase() {
			return inPhase
		}
		if t.untilOneReturns(t.env.Hooks().RunTimer) {
			return inPhase
		}
	case behindCheck:
		if t.untilOneReturns(t.env.Hooks().RunTimer) {
			return behindCheck
		}
	case atCheck:
		t.untilOneReturns(t.env.Hooks().RunImmediate)
		return inCheck
	case inCheck:
		if t.untilOneReturns(t.env.Hooks().RunNextImmediate) {
			return inCheck
		}
		return t.runAhead(behindCheck)
	}
	return atCheck
}

// untilOneReturns runs callbacks until one does not throw: behind one that throws Node runs no ticks.
func (t *Turn[T, P]) untilOneReturns(run func() bool) (ran bool) {
	for !t.Stopped && !t.host.Interrupting() {
		t.Threw = false
		if !run() {
			break
		}
		if ran = true; !t.Threw {
			break
		}
	}
	return ran
}
