package loopsim

import (
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/eventloop-go/eventloop/internal/onstack"
)

// A World is a number of hosts with their loops, disks and a network, under one seed. The function that [Run] calls describes it. Its
// methods may be called by that function and by callbacks of the world's loops, and by no other goroutine.
//
// Protocol. One goroutine has the world: it takes the next event out of the queue, sets the time to that of the event, and runs it.
// An event may run a turn of a loop. It may also run a blocking call, which is a coroutine of that goroutine, until it waits. So
// nothing in a world needs a lock. The exception is what a goroutine of the program may reach, by a mistake that is to be found:
// running, current and foreign are atomic.
type World struct {
	seed  uint64
	cfg   *Config
	now   int64
	end   int64 // when the loop of events stops
	queue queue
	ties  draws
	mark  onstack.Mark // on the stack of the goroutine that has the world

	machines []*machine
	links    [][]*link // by number of the sender and of the receiver
	running  atomic.Pointer[Host]
	current  *task
	conns    int
	events   int
	watched  int // contexts that are watched, by all hosts
	touched  []*Host
	building bool // the function of Run describes the world
	over     bool // the hosts are ended; nothing that they do counts any more
	stopped  bool

	faults  []Fault
	steps   []*step
	keep    *selection
	foreign atomic.Pointer[[]byte]

	undo       []func() // end the faults that have begun
	healed     bool
	goals      []*goal // those that are not reached
	always     []property
	eventually []*goal
	finally    []property
	failure    *failure

	hash      uint64
	notes     int
	hashes    []uint64 // after each event, if asked for
	recording bool
	entries   []entry
}

func newWorld(seed uint64, cfg *Config) *World {
	return &World{seed: seed, cfg: cfg, ties: newDraws(seed, "ties"), mark: onstack.New(), hash: hashStart, keep: &selection{}}
}

// Seed is the number that decides everything in this world.
func (w *World) Seed() uint64 { return w.seed }

// Elapsed is the time since the world began. Inside a callback it counts what the callbacks of this turn have taken.
func (w *World) Elapsed() time.Duration {
	if h := w.running.Load(); h != nil {
		return time.Duration(h.local())
	}
	return time.Duration(w.now)
}

// Rand returns random numbers for a purpose, such as the plan of the clients. They depend on the seed and the purpose only.
func (w *World) Rand(purpose string) *rand.Rand {
	s := newDraws(w.seed, "user "+purpose)
	return s.rand()
}

// Stop ends the world with the callback in progress. Properties are checked as at the end of the time.
func (w *World) Stop() { w.stopped = true }

// Failf makes the world fail. The first failure counts.
func (w *World) Failf(format string, args ...any) { w.fail("failed", fmt.Sprintf(format, args...)) }

// Logf writes a line into the time line.
func (w *World) Logf(format string, args ...any) {
	host, at := -1, w.now
	if h := w.running.Load(); h != nil {
		host, at = h.machine.id, h.local()
	}
	w.log(host, at, format, args...)
}

func (w *World) log(host int, at int64, format string, args ...any) {
	if w.over {
		return
	}
	w.note(kindLog, host, at, hashString(format), 0)
	w.record(entry{at: at, kind: kindLog, host: host, peer: -1}, format, args...)
}

// at has fn run at a time, or now if that has passed.
func (w *World) at(at int64, fn func()) {
	w.queue.push(event{max(at, w.now), w.ties.next(), fn})
}

// run runs events until the time end, a failure, or Stop.
func (w *World) run(end int64) {
	w.end = end
	for w.failure == nil && !w.stopped && len(w.queue) > 0 && w.queue[0].at <= w.end {
		e := w.queue.pop()
		w.now = e.at
		w.events++
		e.run()
		w.settle()
		if w.events >= w.cfg.MaxEvents {
			w.fail("livelock", fmt.Sprintf("%d events in %v: raise Config.MaxEvents, or look for hosts that answer each other for ever", w.events, time.Duration(w.now)))
		}
	}
	if w.failure == nil && !w.stopped {
		w.now = max(w.now, w.end)
	}
}

// settle ends an event: it looks at contexts, plans the next turns of the hosts concerned, and checks properties.
func (w *World) settle() {
	if w.watched > 0 {
		for _, m := range w.machines {
			if m.host != nil {
				m.host.lookAtContexts()
			}
		}
	}
	for len(w.touched) > 0 {
		last := len(w.touched) - 1
		h := w.touched[last]
		w.touched = w.touched[:last]
		h.touched = false
		h.plan()
	}
	if stack := w.foreign.Load(); stack != nil {
		w.fail("foreign goroutine", "a goroutine that is not the world's has woken a loop; use promise.Promisify instead of go:\n"+string(*stack))
	}
	w.checkAlways()
}

// owns reports whether the caller is the goroutine that has the world, or a coroutine of it.
func (w *World) owns() bool {
	if w.mark.Here() {
		return true
	}
	h := w.running.Load()
	return h != nil && h.view.OnLoop()
}

// woken is called by the goroutine that has woken the loop of a host.
func (h *Host) woken() {
	w := h.w
	if !w.owns() {
		stack := debug.Stack()
		w.foreign.CompareAndSwap(nil, &stack)
		return
	}
	h.touch()
	if !h.ready {
		h.ready, h.readyAt = true, h.local()+h.machine.sched.around(w.cfg.WakeUp)
	}
}

// touch has the next turn of a host planned after this event.
func (h *Host) touch() {
	if !h.touched {
		h.touched = true
		h.w.touched = append(h.w.touched, h)
	}
}
