package gojaloop

import (
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/require"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
	"github.com/eventloop-go/eventloop/gojaloop/internal/web/fetch"
	"github.com/eventloop-go/eventloop/js"
)

// A Runtime is a goja runtime that lives on a loop. Its methods may be called from any goroutine, unless they say
// otherwise.
type Runtime struct {
	loop *eventloop.Loop
	env  *js.Env
	opts options
	vm   *goja.Runtime

	// What follows belongs to the loop's goroutine.
	body         func()      // what the entry runs
	entering     bool        // the entry is about to run it
	inside       bool        // a callback is in progress
	threw        bool        // a callback has ended with an exception since this was last cleared
	main         bool        // the main script is running
	phase        func() bool // runs the next callback of the phase in progress, if there is one, and reports that
	ticks        tickQueue
	rejections   rejections
	async        *asyncContext // nil until a script asks for it
	lastCallback callback
	microtask    *microtasks // nil until somebody asks for them
	process      *process    // nil until a script asks for it
	line         []byte      // that console.log has written last, to write the next into
	indent       string      // of console.group
	nativesObj   *goja.Object
	timerProto   *goja.Object
	immProto     *goja.Object
	made         []bool       // the globals that the runtime has by now, in the order of the table
	owned        bool         // the others are own properties of the global object: accessors,
	getters      []goja.Value // of which these are the functions
	completed    [len(intrinsics)]bool
	exports      map[string]*goja.Object // what files of lib offer
	require      *require.RequireModule  // nil without WithModules
	pending      int                     // asynchronous operations under way
	unreferenced bool                    // there may be more, and timers, that keep nothing alive
	operations   map[*operation]struct{}
	program      *program // what Run runs, or nil
	failure      error    // why the runtime has stopped
	stopped      bool
	ended        chan struct{} // closed when it stops; failure does not change after that
	stats        Stats
	origin       time.Time     // of the clock that measures callbacks
	began        time.Duration // of the callback in progress, since origin
	jobs         gojavm.Jobs   // the engine's queue of promise jobs

	goErrors goErrors

	mu     sync.Mutex
	active *watch // who may interrupt what is running
}

// An Option configures a [Runtime].
type Option func(*options)

type options struct {
	stdout, stderr io.Writer
	left           map[Group]bool
	client         *http.Client
	hosts          *fetch.Hosts
	modules        bool
	read           func(string) ([]byte, error)
	transform      func(path, src string) (string, error)
	argv, flags    []string
	env            map[string]string
	maxStack       int
	goErrors       bool
	hardened       bool
	onUncaught     func(error)
	onStop         func(error)
	jsOpts         []js.Option
}

// defaultStack is how deep calls of script functions may nest. Node allows some four times as many; but unwinding goja
// through that many native frames, of sort callbacks for instance, takes seconds that nothing can interrupt.
const defaultStack = 2500

// WithOutput sets where console and process.stdout and process.stderr write; by default to those of the process.
func WithOutput(stdout, stderr io.Writer) Option {
	return func(o *options) { o.stdout, o.stderr = stdout, stderr }
}

// WithMaxStack sets how deep calls may nest before the script is ended with an [UncaughtError].
func WithMaxStack(calls int) Option { return func(o *options) { o.maxStack = calls } }

// WithArguments sets process.argv.
func WithArguments(argv ...string) Option { return func(o *options) { o.argv = argv } }

// WithEnvironment sets process.env, which is empty by default.
func WithEnvironment(env map[string]string) Option { return func(o *options) { o.env = env } }

// WithUncaught sets who learns of exceptions that nobody caught while no program of [Runtime.Run] is running. By
// default they are logged through [log/slog].
func WithUncaught(handle func(error)) Option { return func(o *options) { o.onUncaught = handle } }

// WithStop sets who learns, on the loop, that the runtime has stopped for good, and why: *[ExitError], *[UncaughtError],
// *[InterruptError], *[EngineError], or nil for process.exit(0). Inside the engine this comes before the script has been
// left. A program that ends because nothing is left to do does not stop the runtime.
func WithStop(handle func(error)) Option { return func(o *options) { o.onStop = handle } }

// WithWebTimers makes delays follow HTML instead of Node: see [js.WithWebDelays].
func WithWebTimers() Option {
	return func(o *options) { o.jsOpts = append(o.jsOpts, js.WithWebDelays()) }
}

// New makes a runtime on a loop. It may be called from any goroutine, and needs no closing: what is pending ends with
// the loop.
func New(loop *eventloop.Loop, opts ...Option) *Runtime {
	o := options{stdout: os.Stdout, stderr: os.Stderr, maxStack: defaultStack}
	for _, option := range opts {
		if option != nil {
			option(&o)
		}
	}
	rt := &Runtime{
		loop: loop, opts: o, vm: goja.New(), origin: time.Now(),
		operations: make(map[*operation]struct{}), exports: make(map[string]*goja.Object),
		ended: make(chan struct{}),
	}
	rt.env = js.New(loop, append(o.jsOpts, js.WithHost(rt.runPhase))...)
	if clock := adapter.Of(loop).Clock(); clock != nil {
		rt.vm.SetTimeSource(clock)
	}
	rt.vm.SetMaxCallStackSize(o.maxStack)
	rt.vm.SetPromiseRejectionTracker(rt.trackRejection)
	rt.jobs = gojavm.JobsOf(rt.vm)
	rt.setUpEntry()
	rt.setUpGlobals()
	if o.hardened {
		gojavm.Harden(rt.vm, func() bool { return rt.stopped || rt.interrupting() })
	}
	return rt
}

// Loop returns the loop that the runtime lives on.
func (rt *Runtime) Loop() *eventloop.Loop { return rt.loop }

// Env returns the scheduling API that the script's timers are made with, for Go code that wants its callbacks in one
// order with them.
func (rt *Runtime) Env() *js.Env { return rt.env }

// WithHardening puts guards before operations of the engine that would end the process, for scripts that attack: it
// overflows Go's stack on proxies of proxies and on JSON that nests deep, asks the system for what a script says that it
// needs, and panics on some arguments. With the guards these are exceptions.
//
// It makes a runtime slower to start, and such operations slower. It does not make the process safe: operators, such as the
// shift of a BigInt, have no guard, and memory that grows step by step has no limit. What is not trusted belongs in a process
// of its own.
func WithHardening() Option { return func(o *options) { o.hardened = true } }
