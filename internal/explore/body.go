package explore

import "fmt"

// These functions are for the body of a run.

// Go starts a goroutine.
func Go(fn func()) { GoNamed("", fn) }

// GoNamed is Go with a name for the trace.
func GoNamed(name string, fn func()) {
	if r := current.Load(); r != nil {
		r.newG(name, fn, false)
		return
	}
	go fn()
}

// Point is a point of choice before an operation that this package does not know of.
func Point(op string) {
	if r := current.Load(); r != nil {
		r.point(op)
	}
}

// Until waits until ready, which must not change anything, reports true. It is called at every choice.
func Until(op string, ready func() bool) {
	r := current.Load()
	if r == nil {
		panic("explore: Until outside a run")
	}
	r.cur.until, r.cur.wait = ready, waitsForRoom
	r.block(op)
}

// Quiet waits until no other goroutine can go on. Timers that are not due do not count.
func Quiet() {
	if r := current.Load(); r != nil {
		r.cur.wait = waitsForQuiet
		r.block("quiet")
	}
}

// Fail ends the run with a failure.
func Fail(format string, args ...any) {
	r := current.Load()
	if r == nil {
		panic("explore: Fail outside a run: " + fmt.Sprintf(format, args...))
	}
	r.fail("check", fmt.Sprintf(format, args...))
}

// Steps returns how many operations the run has done so far: a clock that orders what happens in it.
func Steps() int {
	if r := current.Load(); r != nil {
		return r.steps
	}
	return 0
}

// Self returns the number of the calling goroutine.
func Self() int { return int(current.Load().cur.id) }

// Ops returns how many operations a goroutine has done. It is -1 if that has ended.
func Ops(id int) int {
	for _, g := range current.Load().gs {
		if int(g.id) == id {
			return g.ops
		}
	}
	return -1
}

// Waits returns what a goroutine waits for: "nothing" if it can go on, and "" if it has ended.
func Waits(id int) string {
	for _, g := range current.Load().gs {
		if int(g.id) == id {
			return g.wait.String()
		}
	}
	return ""
}

// Note adds a line to the trace.
func Note(format string, args ...any) {
	if r := current.Load(); r != nil && r.tracing {
		r.trace = append(r.trace, Event{Step: r.steps, G: r.cur.String(), Now: r.now, Op: "· " + fmt.Sprintf(format, args...)})
	}
}

// SetProcessors sets the result of Processors in this run; it is 2 at first.
func SetProcessors(n int) { current.Load().processors = n }
