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
	"github.com/eventloop-go/eventloop/gojaloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/onstack"
)

// An EventLoop is a goja runtime with a loop that can be started and stopped any number of times. Make it with
// [NewEventLoop]. Its methods may be called from any goroutine.
//
// Protocol. There are two sides:
//
//   - State that mu guards is for any goroutine. running is true from when a goroutine begins a run until the same goroutine, or
//     the one it starts, has ended it; run describes it.
//   - The owner's state is for the owner alone: the goroutine of the run in progress. A run begins and ends under mu, so
//     each owner sees the writes of the one before.
//
// A run begins without a loop (see inline.go), because a loop of package eventloop runs once. Making, running and
// ending one takes a hundred times as long as a function that leaves nothing to do. Meanwhile the runtime is on a
// loop that is not running yet, where scripts set their timers and immediates. That loop runs only if some of them
// are left when the run has nothing else to do. It is then in run.loop. The next run makes another loop, and
// everything pending moves to it.
//
// A goroutine that queues a function, or wants the run to end, notes that under mu, and then summons the owner.
//
//   - A run without a loop looks under mu before it ends, and before it waits: then it sets sleeping. A goroutine that
//     finds sleeping set clears it, and owes one send on wake. There are no other sends.
//   - A run with a loop is sent serve as a task, unless the mark summoned says that another goroutine is about to or that
//     serve waits already. serve clears the mark under mu when it begins. So it begins after all earlier notes, and sees
//     them. Only serve closes the loop, as a task of its own. So no phase is cut short, and pending work is then with the
//     runtime, the timers or the queue, not with the ended loop.
//
// A run that has nothing left ends by itself. It may miss a function that another goroutine queues at that moment;
// the function stays in the queue for the next run. A function queued by a callback of the run is not missed.
type EventLoop struct {
	registry      *require.Registry // options, set by NewEventLoop
	enableConsole bool

	rt        *gojaloop.Runtime
	serveTask func()
	nextCall  func() bool
	mark      onstack.Mark  // of calls of inline; the owner's
	owner     atomic.Uint64 // mark, from the beginning of a run to its end, or 0
	wake      chan struct{} // the owner waits for it while it has no loop; capacity 1

	mu         sync.Mutex
	running    bool
	run        run
	queue      []job
	terminated bool  // new functions and timers are refused
	dead       error // why the runtime cannot be used any more, or nil

	pending atomic.Int64 // timers of Go code; written by the owner

	// The owner's.
	vm    *goja.Runtime
	loop  *eventloop.Loop // that the runtime is on
	ran   bool            // and it has run
	batch []job           // taken from the queue
	next  int             // the first of the batch that has not begun
	armed map[*goTimer]struct{}
	seq   uint64 // of the timer armed last
}

// A job is an element of the queue.
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
	l := &EventLoop{enableConsole: true, armed: make(map[*goTimer]struct{}), wake: make(chan struct{}, 1)}
	l.serveTask, l.nextCall, l.mark = l.serve, l.callNext, onstack.New()
	for _, option := range opts {
		if option != nil {
			option(l)
		}
	}
	if l.registry == nil {
		l.registry = new(require.Registry)
	}
	l.loop = l.newLoop()
	l.rt = gojaloop.New(l.loop,
		gojaloop.Without(gojaloop.Console),
		gojaloop.WithMaxStack(math.MaxInt32), // goja's default: scripts may nest calls as deep as they did
		gojaloop.WithStop(l.runtimeStopped),
		inside.WithCompatible(inside.Compatible{ClearForeign: clearTimer}).(gojaloop.Option))
	l.rt.Call(l.setUp)
	return l
}

// newLoop makes the loop of a run.
func (l *EventLoop) newLoop() *eventloop.Loop {
	return eventloop.New(eventloop.WithAutoExit(), eventloop.WithPanicHandler(l.escaped))
}

// setUp defines the globals that gojaloop has not, or not as here.
func (l *EventLoop) setUp(vm *goja.Runtime) {
	l.vm = vm
	l.registry.Enable(vm)
	if l.enableConsole {
		l.offerConsole()
	}
}

// offerConsole defines console as an accessor, which becomes a property with a value when it is first used. Making it
// takes as long as the rest of a short program, which may not use it.
func (l *EventLoop) offerConsole() {
	const name = "console"
	define := func(v goja.Value) {
		_ = l.vm.GlobalObject().DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
	}
	get := l.vm.ToValue(func(goja.FunctionCall) goja.Value {
		v := require.Require(l.vm, console.ModuleName)
		define(v)
		return v
	})
	set := l.vm.ToValue(func(call goja.FunctionCall) goja.Value {
		define(call.Argument(0))
		return goja.Undefined()
	})
	_ = l.vm.GlobalObject().DefineAccessorProperty(name, get, set, goja.FLAG_TRUE, goja.FLAG_TRUE)
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
	s := l.summon()
	l.mu.Unlock()
	l.send(s)
	return true
}

// A summons notifies the owner that the state under mu has changed, unless another goroutine is about to do so.
type summons struct {
	loop *eventloop.Loop // submit serve
	wake bool            // send on wake
}

// summon notes a summons for the run in progress. The caller holds mu, and must call send after releasing it: the
// owner, woken, needs mu at once.
func (l *EventLoop) summon() (s summons) {
	r := &l.run
	switch {
	case !l.running:
	case r.loop == nil:
		s.wake, r.sleeping = r.sleeping, false
	case !r.summoned:
		s.loop, r.summoned = r.loop, true
	}
	return s
}

func (l *EventLoop) send(s summons) {
	switch {
	case s.wake:
		l.wake <- struct{}{}
	case s.loop != nil:
		_ = s.loop.Submit(l.serveTask) // it fails if the loop has ended; the next run serves the queue
	}
}

// keepBatch is how much capacity for functions outlasts a burst.
const keepBatch = 1024

// serve is the loop's task: it runs the functions that were queued before it began, and ends the run if it was asked to.
func (l *EventLoop) serve() {
	if l.runBatch() {
		_ = l.loop.Close() // at most another serve is dropped
	}
}

// runBatch runs the functions that were queued before it began. It reports whether the run must end then, and in that
// case clears everything.
func (l *EventLoop) runBatch() (ending bool) {
	l.takeBatch()
	r := &l.run
	if l.next < len(l.batch) && !r.failed() {
		l.callBatch()
	}
	if l.next == len(l.batch) {
		if l.batch, l.next = l.batch[:0], 0; cap(l.batch) > keepBatch {
			l.batch = nil
		}
	}
	if !r.ending && !r.failed() {
		return false
	}
	if r.clear {
		l.clear()
	}
	return true
}

// callNext calls the next function of the batch, and reports whether there is another to call.
func (l *EventLoop) callNext() (more bool) {
	fn := l.batch[l.next]
	l.batch[l.next] = nil
	l.next++ // first, for fn may panic
	fn(l.vm)
	return l.next < len(l.batch) && !l.run.failed()
}

// takeBatch moves the queue behind the rest of a failed run's batch.
func (l *EventLoop) takeBatch() {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := &l.run
	r.summoned, r.ending, r.clear = false, r.stop, r.terminate
	if l.next == len(l.batch) {
		l.batch, l.queue, l.next = l.queue, l.batch[:0], 0
	} else {
		l.batch = append(l.batch, l.queue...)
		clear(l.queue)
		l.queue = l.queue[:0]
	}
}
