package coarselock

import "fmt"

// A state is a stage of a loop's life.
type state uint8

const (
	created  state = iota // accepts tasks; not running yet
	running               // accepts and runs tasks
	stopping              // runs the accepted tasks and their consequences
	ended                 // for good
)

func (s state) String() string {
	return [...]string{"created", "running", "stopping", "ended"}[s]
}

// legal lists the states that may follow each.
var legal = [...][]state{
	created:  {running, stopping},
	running:  {stopping},
	stopping: {ended},
	ended:    {},
}

// books count tasks. Each accepted task has run, runs, or waits.
type books struct {
	accepted uint64
	ran      uint64
	inside   bool // a task is running
}

// An InvariantError says that the loop found itself in an impossible condition. It trusts itself no further then:
// the loop ends, and all its methods return the error.
type InvariantError struct {
	// Invariant is the rule that does not hold.
	Invariant string

	// At is the step that noticed.
	At string

	// Facts are the figures that contradict the rule.
	Facts string
}

// Error names the invariant.
func (e *InvariantError) Error() string {
	return fmt.Sprintf("coarselock: invariant broken at %s: %s: %s", e.At, e.Invariant, e.Facts)
}

// The invariants.
const (
	legalTransition = "a state is followed only by a later one"
	oneAtATime      = "one task runs at a time"
	conservation    = "what was accepted has run, runs, or waits"
	emptyEnd        = "a loop that has ended has nothing left"
)

// become changes the state. The lock is held.
func (l *Loop) become(next state) {
	for _, s := range legal[l.state] {
		if s == next {
			if l.log != nil {
				l.log.Info("coarselock: state", "from", l.state, "to", next)
			}
			l.state = next
			return
		}
	}
	l.breaks(legalTransition, "transition", "from %v to %v", l.state, next)
}

// verify checks the books. The lock is held.
func (l *Loop) verify(at string) {
	waiting := uint64(l.micros.len() + l.internal.len() + l.external.len())
	inside := uint64(0)
	if l.books.inside {
		inside = 1
	}
	if l.books.accepted != l.books.ran+inside+waiting {
		l.breaks(conservation, at, "%d accepted, %d ran, %d running, %d waiting", l.books.accepted, l.books.ran, inside, waiting)
	}
	if l.state == ended && waiting > 0 {
		l.breaks(emptyEnd, at, "%d waiting", waiting)
	}
}

// breaks notes the first broken invariant, which ends the loop. The lock is held.
func (l *Loop) breaks(invariant, at, format string, args ...any) {
	if l.broken != nil {
		return
	}
	l.broken = &InvariantError{Invariant: invariant, At: at, Facts: fmt.Sprintf(format, args...)}
	if l.log != nil {
		l.log.Error("coarselock: invariant broken", "error", l.broken)
	}
	l.some.Signal()
}
