package nodecompat

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/console"
	"github.com/dop251/goja_nodejs/require"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// An EventLoop is a goja runtime with a loop that can be started and stopped any number of times. Make it with
// [NewEventLoop]. Its methods may be called from any goroutine.
//
// Protocol. A loop of package eventloop runs once, so each Start or Run has one of its own, and the EventLoop is what
// lasts: the runtime with the timers and immediates of scripts, which move from loop to loop; the timers of Go code; and
// a queue of functions. There are two sides:
//
//   - What mu guards, anybody may touch. current is the run in progress, and nil exactly while the EventLoop is stopped.
//     A run begins when a goroutine sets it, and the same goroutine, or the one it starts, sets it back to nil when the
//     loop has ended.
//   - What the owner has, nobody else touches: the goroutine of the run in progress, from setting current to setting it
//     back. Both happen under mu, so each owner sees what the one before has done.
//
// Whoever queues a function, or wants the run to end, says so under mu, and then submits serve to the loop, unless the
// mark summoned says that somebody else is about to or that serve waits already. serve takes the mark back under mu when
// it begins. So serve begins after whatever was said before, and sees it. Only serve closes the loop, as a task of its
// own: no phase is cut short, and what is pending then is with the runtime, the timers or the queue, not with the loop
// that goes. A loop that ends by itself, because nothing is left, may miss a function that another goroutine queues at
// that moment; it stays in the queue for the next run. One that the loop queues itself is not missed, for the task is
// submitted before the callback returns.
type EventLoop struct {
	registry      *require.Registry // options, set by NewEventLoop
	enableConsole bool

	rt        *gojaloop.Runtime
	serveTask func()

	mu         sync.Mutex
	current    *run
	queue      []job
	terminated bool  // new functions and timers are refused
	dead       error // why the runtime cannot be used any more, or nil

	pending atomic.Int64 // timers of Go code; written by the owner

	// The owner's.
	vm    *goja.Runtime
	batch []job // taken from the queue
	next  int   // the first of the batch that has not begun
	armed map[*goTimer]struct{}
	seq   uint64 // of the timer armed last
}

// A job is what the queue holds.
type job = func(*goja.Runtime)

// An Option configures an [EventLoop].
type Option func(*EventLoop)

// EnableConsole sets whether scripts have the global console: the module of that name that require gives them, and
// goja_nodejs's own unless the registry has another. The default is true.
func EnableConsole(enableConsole bool) Option {
	return func(l *EventLoop) { l.enableConsole = enableConsole }
}

// WithRegistry sets where require finds modules. The default, and nil, is a new registry: it reads files of the host.
func WithRegistry(registry *require.Registry) Option {
	return func(l *EventLoop) { l.registry = registry }
}

// NewEventLoop makes an event loop, stopped, with a new runtime. It needs no closing.
func NewEventLoop(opts ...Option) *EventLoop {
	l := &EventLoop{enableConsole: true, armed: make(map[*goTimer]struct{})}
	l.serveTask = l.serve
	for _, option := range opts {
		if option != nil {
			option(l)
		}
	}
	if l.registry == nil {
		l.registry = new(require.Registry)
	}
	// Any loop will do until the first run brings its own.
	l.rt = gojaloop.New(eventloop.New(),
		gojaloop.Without(gojaloop.Console),
		gojaloop.WithMaxStack(math.MaxInt32), // goja's default: scripts may nest calls as deep as they did
		gojaloop.WithStop(l.runtimeStopped))
	l.rt.Call(l.setUp)
	return l
}

// setUp defines the globals that gojaloop has not, or not as here.
func (l *EventLoop) setUp(vm *goja.Runtime) {
	l.vm = vm
	l.registry.Enable(vm)
	if l.enableConsole {
		console.Enable(vm)
	}
	l.acceptGoTimers("clearTimeout")
	l.acceptGoTimers("clearInterval")
}

// RunOnLoop queues fn to run on the loop. Functions run in the order in which they were queued, and wait while the loop
// is stopped. They keep Run from returning only as long as it takes to run them. It reports false, and fn never runs, if
// the loop is terminated.
//
// The runtime, and values of it, must not be used once fn has returned. If fn panics, the loop stops: see [EventLoop.Run].
func (l *EventLoop) RunOnLoop(fn func(*goja.Runtime)) bool {
	mustNotBeNil(fn)
	return l.enqueue(fn)
}

// mustNotBeNil panics where the mistake is, and not later on the loop.
func mustNotBeNil(fn job) {
	if fn == nil {
		panic("nodecompat: nil function: pass one that takes a *goja.Runtime")
	}
}

func (l *EventLoop) enqueue(fn job) bool {
	l.mu.Lock()
	if l.terminated || l.dead != nil {
		l.mu.Unlock()
		return false
	}
	l.queue = append(l.queue, fn)
	r := l.summon()
	l.mu.Unlock()
	l.submitServe(r)
	return true
}

// summon returns the run in progress if serve is to be submitted to it. The caller holds mu, and must call submitServe
// when it has let go of that: the loop, woken by the task, needs mu at once.
func (l *EventLoop) summon() *run {
	r := l.current
	if r == nil || r.summoned {
		return nil
	}
	r.summoned = true
	return r
}

func (l *EventLoop) submitServe(r *run) {
	if r != nil {
		_ = r.loop.Submit(l.serveTask) // it fails if the loop has ended; the next run serves the queue
	}
}

// keepBatch is how much capacity for functions outlasts a burst.
const keepBatch = 1024

// serve runs the functions that were queued before it began, and ends the run if it was asked to.
func (l *EventLoop) serve() {
	r := l.takeBatch()
	for l.next < len(l.batch) && !r.failed() {
		fn := l.batch[l.next]
		l.batch[l.next] = nil
		l.next++ // first, for fn may panic
		l.call(fn)
	}
	if l.next == len(l.batch) {
		if l.batch, l.next = l.batch[:0], 0; cap(l.batch) > keepBatch {
			l.batch = nil
		}
	}
	if r.ending || r.failed() {
		if r.clear {
			l.clear()
		}
		_ = r.loop.Close() // what is dropped is at most another serve
	}
}

// takeBatch moves the queue behind what a run that failed has left of its batch.
func (l *EventLoop) takeBatch() *run {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.current
	r.summoned, r.ending, r.clear = false, r.stop, r.terminate
	if l.next == len(l.batch) {
		l.batch, l.queue, l.next = l.queue, l.batch[:0], 0
	} else {
		l.batch = append(l.batch, l.queue...)
		clear(l.queue)
		l.queue = l.queue[:0]
	}
	return r
}
