package gojaloop

import "github.com/dop251/goja"

// tickQueue is process.nextTick's.
type tickQueue struct {
	items []tick
	next  int
}

type tick struct {
	fn   goja.Callable
	args []goja.Value
}

func (q *tickQueue) empty() bool { return q.next == len(q.items) }

func (q *tickQueue) push(t tick) { q.items = append(q.items, t) }

func (q *tickQueue) pop() tick {
	t := q.items[q.next]
	q.items[q.next] = tick{}
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

// drainTicks runs ticks, those that ticks add as well, until there are none.
func (rt *Runtime) drainTicks() {
	at := rt.place()
	for !rt.ticks.empty() && !rt.stopped {
		t := rt.ticks.pop()
		rt.stats.Ticks++
		if rt.call(t.fn, goja.Undefined(), t.args...) {
			continue
		}
		if rt.interrupting() {
			return
		}
		if at = rt.runAhead(at); at == atCheck || at == inCheck {
			rt.env.Hooks().CheckFirst()
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
func (rt *Runtime) place() place {
	switch {
	case rt.phase != nil:
		return inPhase
	case rt.main:
		return behindCheck
	}
	return behindPoll
}

// runAhead goes from a place to the next, and runs the callback between them, if there is one. Promise jobs would have to
// be left as well, but the engine runs them as soon as it is left itself. So the callback is run before that, ahead of
// its time.
func (rt *Runtime) runAhead(at place) place {
	switch at {
	case inPhase:
		if rt.phase() {
			return inPhase
		}
		if rt.untilOneReturns(rt.env.Hooks().RunTimer) {
			return inPhase
		}
	case behindCheck:
		if rt.untilOneReturns(rt.env.Hooks().RunTimer) {
			return behindCheck
		}
	case atCheck:
		rt.untilOneReturns(rt.env.Hooks().RunImmediate)
		return inCheck
	case inCheck:
		if rt.untilOneReturns(rt.env.Hooks().RunNextImmediate) {
			return inCheck
		}
		return rt.runAhead(behindCheck)
	}
	return atCheck
}

// untilOneReturns runs callbacks until one does not throw: behind one that throws Node runs no ticks.
func (rt *Runtime) untilOneReturns(run func() bool) (ran bool) {
	for !rt.stopped && !rt.interrupting() {
		rt.threw = false
		if !run() {
			break
		}
		if ran = true; !rt.threw {
			break
		}
	}
	return ran
}

// nextTick is process.nextTick(callback, ...args).
func (rt *Runtime) nextTick(call goja.FunctionCall) goja.Value {
	fn := rt.callback(call.Argument(0))
	var args []goja.Value
	if len(call.Arguments) > 1 {
		args = append(args, call.Arguments[1:]...)
	}
	rt.ticks.push(tick{fn, args})
	return goja.Undefined()
}

// A callback is a function of the script that Go can call.
type callback struct {
	value goja.Value // nil, or a function: always of one type, so that it can be compared with any value
	fn    goja.Callable
}

// callback is Node's validateFunction(value, 'callback'). Scripts pass the same function again and again: the last one
// is kept, for it takes two objects to call one from Go.
func (rt *Runtime) callback(v goja.Value) goja.Callable {
	fn, ok := rt.lastCallback.fn, true
	if v != rt.lastCallback.value {
		fn, ok = goja.AssertFunction(v)
	}
	if !ok {
		panic(rt.nodeError("ERR_INVALID_ARG_TYPE", `The "callback" argument must be of type function. Received `+rt.received(v)))
	}
	rt.lastCallback.value, rt.lastCallback.fn = v, fn
	if rt.async != nil {
		return rt.async.bind(fn)
	}
	return fn
}
