package loopsim

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/internal/coroutine"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/promise"
)

// A machine is what stays of a host when it crashes: its disk, its clock and its place in the network.
type machine struct {
	w         *World
	id        int
	name      string
	main      func(*Host)
	host      *Host // that runs; nil while the machine is down
	boots     int
	clock     clock
	disk      *Disk
	listeners map[int]*listener
	sched     draws // callbacks, wake-ups, blocking calls
	wire      draws // what it sends
	random    draws
	down      bool  // it crashed, and has not been restarted
	pausedTo  int64 // it does nothing before
	slowTo    int64 // it reads slowly before
	port      int   // of the last connection it has made
}

// A Host is one life of a machine, from a start or restart until a crash. Everything is to be used on its loop, unless it says
// otherwise. After a crash the loop ends, which calls functions of the program. Their messages and writes are dropped.
type Host struct {
	// Rand has the program's random numbers: for jitter, names, identifiers.
	Rand *rand.Rand

	w       *World
	machine *machine
	loop    *eventloop.Loop
	driver  *adapter.Driver
	view    inside.Loop
	tasks   coroutine.Group // its blocking calls
	onStop  []func()
	net     Network

	dead    bool
	touched bool
	ready   bool // the loop has something to run

	next    int64 // when the loop's first timer is due, on its clock
	readyAt int64
	planned int64 // when the next turn is
	busy    int64 // until when the last turn takes
	last    int64 // the latest time that the host has seen
	spent   int64 // by the turn in progress

	turnFn   func() // turn, made once
	contexts []*watch
	conns    []*conn
	callback entry // that runs
}

// Host adds a host: a machine of that name, which calls main on a loop of its own when the world begins and whenever it restarts.
// It is to be called by the function that describes the world.
func (w *World) Host(name string, main func(h *Host)) {
	switch {
	case !w.building:
		panic("loopsim: Host is called after the world has begun")
	case main == nil || name == "":
		panic("loopsim: Host needs a name and a function")
	case w.machine(name) != nil:
		panic(fmt.Sprintf("loopsim: there is a host %q already", name))
	}
	m := &machine{w: w, id: len(w.machines), name: name, main: main, listeners: map[int]*listener{}}
	m.sched, m.wire, m.random = newDraws(w.seed, "sched "+name), newDraws(w.seed, "wire "+name), newDraws(w.seed, "host "+name)
	m.disk = newDisk(m)
	if n := int64(w.cfg.MaxClockOffset); n > 0 {
		s := newDraws(w.seed, "clock "+name)
		m.clock.jump = s.below(2*n) - n
	}
	w.machines = append(w.machines, m)
	for i := range w.links {
		w.links[i] = append(w.links[i], &link{})
	}
	row := make([]*link, len(w.machines))
	for i := range row {
		row[i] = &link{}
	}
	w.links = append(w.links, row)
}

// machine returns the machine of that name, or nil.
func (w *World) machine(name string) *machine {
	for _, m := range w.machines {
		if m.name == name {
			return m
		}
	}
	return nil
}

// named is machine for a name that a program gives.
func (w *World) named(name string) *machine {
	m := w.machine(name)
	if m == nil {
		panic(fmt.Sprintf("loopsim: there is no host %q; add it with World.Host", name))
	}
	return m
}

// Name is the machine's name, which others dial.
func (h *Host) Name() string { return h.machine.name }

// World returns the world of the host.
func (h *Host) World() *World { return h.w }

// Loop returns the loop.
func (h *Host) Loop() *eventloop.Loop { return h.loop }

// Disk returns the machine's disk, which survives crashes.
func (h *Host) Disk() *Disk { return h.machine.disk.of(h) }

// Boot counts the starts of the machine, from 1.
func (h *Host) Boot() int { return h.machine.boots }

// Now is the date on the machine's clock, which may drift and jump. Timers go by a clock that drifts and does not jump, as in Go.
func (h *Host) Now() time.Time {
	c := &h.machine.clock
	return epoch.Add(time.Duration(c.read(h.local()) + c.jump))
}

// Uptime is the machine's clock that does not jump: that of timers.
func (h *Host) Uptime() time.Duration { return time.Duration(h.machine.clock.read(h.local())) }

// Spend has the callback in progress take d longer, or the blocking call that calls it.
func (h *Host) Spend(d time.Duration) { h.spend(int64(d)) }

// Logf writes a line into the time line. The line is formatted only when the time line is shown.
func (h *Host) Logf(format string, args ...any) {
	if !h.dead {
		h.w.log(h.machine.id, h.local(), format, args...)
	}
}

// OnStop has fn called when the world ends, faults are over, and the program is to end: it closes listeners and connections, and
// stops timers. A host that has such a function must have nothing left alive some time after, see [Config.Settle].
func (h *Host) OnStop(fn func()) { h.onStop = append(h.onStop, fn) }

// local is the host's time on the world's clock: that of the event in progress, and what the turn has taken so far.
func (h *Host) local() int64 {
	h.last = max(h.last, h.w.now+h.spent)
	return h.last
}

// spend lets time pass for the host: for the blocking call in progress, or for the turn.
func (h *Host) spend(d int64) {
	switch t := h.w.current; {
	case t != nil && t.h == h:
		t.sleep(d)
	case h.w.running.Load() == h:
		h.spent += d
	}
}

// boot starts a machine.
func (m *machine) boot() {
	w := m.w
	m.boots++
	m.down = false
	h := &Host{w: w, machine: m, Rand: m.random.rand(), next: never, planned: never, last: w.now}
	h.net = Network{h}
	h.turnFn = h.turn
	m.host = h
	options := []eventloop.Option{
		eventloop.WithName(m.name),
		inside.WithClock(loopClock{h}).(eventloop.Option),
		eventloop.WithPanicHandler(func(e *eventloop.PanicError) {
			if !h.dead {
				w.fail("panic", fmt.Sprintf("%s: %v\n%s", m.name, e, e.Stack))
			}
		}),
		promise.WithUnhandledRejection(func(r *promise.Rejection) {
			if !h.dead {
				w.fail("unhandled rejection", fmt.Sprintf("%s: %v\n%s", m.name, r.Err, r.Stack()))
			}
		}),
	}
	if w.recording {
		options = append(options, inspect.WithTraceCreation())
	}
	h.loop = eventloop.New(options...)
	h.view = inside.Of(h.loop)
	driver, err := adapter.Drive(h.loop)
	if err != nil {
		panic(err) // a new loop can be driven
	}
	h.driver = driver
	h.view.Blocking().Start = h.startTask
	h.tasks.Open()
	h.view.(inside.Diagnosis).Observe(inside.ObserveCallbacks, h.observe)
	w.note(kindBoot, m.id, w.now, uint64(m.boots), 0)
	w.record(entry{at: w.now, kind: kindBoot, host: m.id, peer: -1}, "boot %d", m.boots)
	_ = h.loop.Submit(func() { m.main(h) }) // a new loop accepts it
	h.ready, h.readyAt = true, w.now+m.sched.around(w.cfg.WakeUp)
	h.touch()
}

// plan sees to it that the next turn happens.
func (h *Host) plan() {
	if h.dead {
		return
	}
	at := int64(never)
	if h.next < never {
		at = h.machine.clock.when(h.next)
	}
	if h.ready {
		at = min(at, h.readyAt)
	}
	if at == never {
		return
	}
	at = max(at, h.busy, h.machine.pausedTo, h.w.now)
	if at < h.planned {
		h.planned = at
		h.w.at(at, h.turnFn)
	}
}

// turn runs a turn of the loop, if it is time to.
func (h *Host) turn() {
	w := h.w
	if h.dead || w.now != h.planned { // another event has come first
		return
	}
	h.planned = never
	if w.now < max(h.machine.pausedTo, h.busy) {
		h.touch()
		return
	}
	h.touch()
	h.ready = false
	h.next = never
	w.note(kindTurn, h.machine.id, w.now, 0, 0)
	w.running.Store(h)
	more, err := h.driver.RunReady()
	w.running.Store(nil)
	h.busy = h.local()
	h.spent = 0
	if err != nil {
		h.ended(err)
		return
	}
	if more {
		h.ready, h.readyAt = true, h.busy
	}
}

// observe traces callbacks, and draws how long each takes.
func (h *Host) observe(e inside.Event) {
	w := h.w
	switch e.Type {
	case inside.CallbackBegan:
		if w.over {
			return
		}
		at := h.local()
		w.note(kindCallback, h.machine.id, at, uint64(e.Phase), 0)
		if w.recording {
			h.callback = entry{at: at, kind: kindCallback, host: h.machine.id, peer: -1, text: functionName(e.Fn)}
		}
	case inside.CallbackEnded:
		h.spent += h.machine.sched.around(w.cfg.Callback)
		if w.recording && !w.over && h.callback.kind != 0 {
			h.callback.took = h.local() - h.callback.at
			w.entries = append(w.entries, h.callback)
			h.callback.kind = 0
		}
	}
}

// ended notes that a loop has ended by itself.
func (h *Host) ended(err error) {
	if h.dead {
		return
	}
	h.die()
	if errors.Is(err, eventloop.ErrLoopTerminated) { // Shutdown was called
		h.w.note(kindEnd, h.machine.id, h.w.now, 0, 0)
		h.w.record(entry{at: h.w.now, kind: kindEnd, host: h.machine.id, peer: -1}, "the loop has ended")
		h.resetPeers()
		return
	}
	h.w.fail("end of a loop", fmt.Sprintf("the loop of %s has ended: %v", h.machine.name, err))
}

// die takes a host out of the world. Its loop ends, and what waits is unwound: coroutines, and blocking calls.
func (h *Host) die() {
	w := h.w
	h.dead = true
	if h.machine.host == h {
		h.machine.host = nil
	}
	clear(h.machine.listeners)
	if before := w.running.Load(); before != h {
		w.running.Store(h)
		_ = h.loop.Close()
		for range 3 { // one call ends it; a shutdown in progress may take another
			if _, err := h.driver.RunReady(); err != nil {
				break
			}
		}
		w.running.Store(before)
	}
	h.lookAtContexts()
	w.watched -= len(h.contexts)
	h.contexts = nil
	before := w.current
	h.tasks.End()
	w.current = before
	h.spent = 0
}

// A watch is a function that is called when a context has ended.
type watch struct {
	h       *Host
	ctx     context.Context
	fn      func()
	stopped bool
}

// afterContext keeps fn until ctx has ended. The world looks after each event.
func (h *Host) afterContext(ctx context.Context, fn func()) (stop func() bool) {
	if ctx.Done() == nil {
		return func() bool { return true }
	}
	if h.dead {
		return func() bool { return false }
	}
	c := &watch{h: h, ctx: ctx, fn: fn}
	h.contexts = append(h.contexts, c)
	h.w.watched++
	return c.stop
}

func (c *watch) stop() bool {
	if c.stopped {
		return false
	}
	c.stopped = true
	return true
}

// lookAtContexts calls the functions of contexts that have ended, in the order in which they were given.
func (h *Host) lookAtContexts() {
	for again := true; again; { // a function may end another context
		again = false
		n := len(h.contexts)
		kept := h.contexts[:0:len(h.contexts)]
		var due []*watch
		for _, c := range h.contexts {
			switch {
			case c.stopped:
			case c.ctx.Err() != nil:
				c.stopped, again = true, true
				due = append(due, c)
			default:
				kept = append(kept, c)
			}
		}
		h.w.watched -= n - len(kept)
		clear(h.contexts[len(kept):])
		h.contexts = kept
		for _, c := range due {
			c.fn()
		}
	}
}
