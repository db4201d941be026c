package inside

import (
	"time"

	"github.com/eventloop-go/eventloop/internal/blocking"
	"github.com/eventloop-go/eventloop/internal/meter"
)

// A Diagnosis is a loop as package inspect sees it. Package eventloop never calls it. So the linker drops this code
// from programs that do not inspect.
type Diagnosis interface {
	Name() string
	Now() time.Duration // since the loop was made
	Done() <-chan struct{}
	Driven() bool
	SubmitInternal(fn func()) error
	Blocking() *blocking.Pool

	// SetMeter and TraceCreation are for options.
	SetMeter(m *meter.Meter)
	Count(f meter.Fault)
	TraceCreation()

	// ReadMeter calls read with the meter's measurements at one moment, and with the number of jobs in the ingress.
	// It reports false without a meter. read must not keep the snapshot.
	ReadMeter(read func(s *meter.Snapshot, jobs int)) bool

	// IdleTime is how long the loop has slept, of the time since Run began; 0 without a meter.
	IdleTime() (idle, elapsed time.Duration)

	// Observe has the loop report the events in the requested sets to fn.
	Observe(what Events, fn func(Event)) (stop func())

	// Resources lists the resources that keep the loop alive, on the loop.
	Resources() []Resource

	// AfterFunc calls fn when d has passed on the loop's clock, elsewhere than on the loop. On the clock of a test it calls fn
	// in a callback.
	AfterFunc(d time.Duration, fn func())

	// Guard calls fn, elsewhere than on the loop. Its panic goes to the panic handler, on the loop.
	Guard(fn func())
}

// The types of events, in package inspect's order.
const (
	PhaseBegan uint8 = iota + 1
	PhaseEnded
	CallbackBegan
	CallbackEnded
	LoopSleeps
	LoopWakes
)

// The phases, in the order of the turn.
const (
	PhaseTimers uint8 = iota
	PhaseInternal
	PhaseExternal
	PhasePoll
	PhaseCheck
	PhaseClose
)

// Events are sets of events.
type Events uint8

// The sets of events.
const (
	ObservePhases Events = 1 << iota
	ObserveCallbacks
)

// A Site is a place in the program: the innermost calls that led to it.
type Site [10]uintptr

// An Event is inspect.Event.
type Event struct {
	Type, Phase uint8
	At, Took    time.Duration
	Jobs        uint64
	Checkpoint  bool
	Fn          any
	Site        Site
}

// The kinds of resources.
const (
	ResourceTimer      = "timer"
	ResourceKeepAlive  = "keep-alive"
	ResourceDescriptor = "descriptor"
	ResourceQueue      = "queue"
	ResourceBlocking   = "blocking"
)

// A Resource is inspect.Resource.
type Resource struct {
	Kind     string
	Count    int
	Age, Due time.Duration
	FD       int
	Made     Site
}

// Option returns an eventloop.Option that has apply called with the loop that is made. Package eventloop sets it.
var Option func(apply func(Diagnosis)) any
