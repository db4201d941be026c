package js_test

import (
	"fmt"
	"sync"
)

// A world is the target of a random program: an environment on a real loop, or the model of both.
type world interface {
	now() int64
	spend(d int64) // be busy in a callback
	timer(fn func(), ms float64, repeat bool) (any, error)
	immediate(fn func()) (any, error)
	job(tick bool, fn func())
	closeTimer(h any)
	refresh(h any) error
	refTimer(h any, ref bool)
	closeImmediate(h any)
	refImmediate(h any, ref bool)
	active() int
	closeEnv()
	closeLoop()
	shutdown()
}

type opKind uint8

const (
	opTimeout opKind = iota
	opTimeoutToo
	opInterval
	opImmediate
	opTick
	opMicrotask
	opClose
	opRefresh
	opRef
	opUnref
	opCloseImmediate
	opRefImmediate
	opUnrefImmediate
	opSpend
	opPanic
	opGoexit
	opCloseEnv
	opCloseLoop
	opShutdown
	opKinds
)

// An op is an operation with its argument, as two bytes decode to it.
type op struct {
	kind opKind
	arg  byte
}

// An outsideEvent is an operation by another goroutine. Times of these and of callbacks are never the same nanosecond.
type outsideEvent struct {
	at int64
	op op
}

const (
	unit        = 100_000 // nanoseconds: the grain of time that callbacks spend
	millisecond = 10 * unit
)

// A program is decoded from bytes.
type program struct {
	autoExit bool
	web      bool
	main     []op
	outside  []outsideEvent
	inside   []byte // operations of callbacks, consumed as they run
}

func decode(data []byte) program {
	next := func() byte {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return b
	}
	operation := func() op { return op{opKind(next() % byte(opKinds)), next()} }
	var p program
	flags := next()
	p.autoExit, p.web = flags&1 == 0, flags&6 == 0
	for range 2 + next()%8 {
		p.main = append(p.main, operation())
	}
	at := int64(0)
	for i := range int(next() % 16) {
		at += int64(next()%30) * unit
		p.outside = append(p.outside, outsideEvent{at + int64(i) + 1, operation()})
	}
	p.inside = data
	return p
}

// end returns the time at which a program is over, with work left or not.
func (p *program) end() int64 {
	at := int64(0)
	if n := len(p.outside); n > 0 {
		at = p.outside[n-1].at
	}
	return at + 30*millisecond + 50
}

// A driver performs a program in a world and logs the events.
type driver struct {
	w          world
	mu         sync.Mutex
	gate       sync.Mutex // held by an event outside, so that its effects are noted after it
	inside     []byte
	log        []string
	id         int
	timers     []any
	immediates []any
}

func (d *driver) note(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.log = append(d.log, fmt.Sprintf(format, args...))
}

func (d *driver) next() byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.inside) == 0 {
		return 0
	}
	b := d.inside[0]
	d.inside = d.inside[1:]
	return b
}

func (d *driver) callback(kind opKind) func() {
	d.mu.Lock()
	d.id++
	id := d.id
	d.mu.Unlock()
	return func() {
		d.gate.Lock()
		d.note("%d (kind %d) runs at %d, active %d", id, kind, d.w.now(), d.w.active())
		d.gate.Unlock()
		for range d.next() % 4 {
			d.perform(op{opKind(d.next() % byte(opKinds)), d.next()}, false)
		}
	}
}

func (d *driver) reported(goexit bool) { d.note("reported, Goexit %v", goexit) }

func (d *driver) pick(from *[]any, arg byte) any {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(*from) == 0 {
		return nil
	}
	return (*from)[int(arg)%len(*from)]
}

func (d *driver) add(to *[]any, v any, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil {
		*to = append(*to, v)
	}
}

func (d *driver) perform(o op, outside bool) {
	switch o.kind {
	case opSpend, opPanic, opGoexit, opTick, opMicrotask:
		if outside {
			return // for callbacks only
		}
	case opCloseEnv, opCloseLoop, opShutdown:
		if o.arg%4 != 1 {
			return // or hardly a program would see its middle
		}
	}
	if outside {
		d.gate.Lock()
		defer d.gate.Unlock()
	}
	timer, immediate := d.pick(&d.timers, o.arg), d.pick(&d.immediates, o.arg)
	switch o.kind {
	case opTimeout, opTimeoutToo, opInterval:
		ms := [...]float64{1, 1, 2, 2, 3, 5, 0, 9}[o.arg%8]
		h, err := d.w.timer(d.callback(o.kind), ms, o.kind == opInterval)
		d.add(&d.timers, h, err)
		d.note("timer: %v", err)
	case opImmediate:
		h, err := d.w.immediate(d.callback(o.kind))
		d.add(&d.immediates, h, err)
		d.note("immediate: %v", err)
	case opTick, opMicrotask:
		d.w.job(o.kind == opTick, d.callback(o.kind))
	case opClose:
		if timer != nil {
			d.w.closeTimer(timer)
		}
	case opRefresh:
		if timer != nil {
			d.note("refresh: %v", d.w.refresh(timer))
		}
	case opRef, opUnref:
		if timer != nil {
			d.w.refTimer(timer, o.kind == opRef)
		}
	case opCloseImmediate:
		if immediate != nil {
			d.w.closeImmediate(immediate)
		}
	case opRefImmediate, opUnrefImmediate:
		if immediate != nil {
			d.w.refImmediate(immediate, o.kind == opRefImmediate)
		}
	case opSpend:
		d.w.spend(int64(o.arg%16) * unit)
	case opPanic, opGoexit:
		d.note("ends badly")
		leave(o.kind == opGoexit, d.w)
	case opCloseEnv:
		d.w.closeEnv()
		d.note("closed, active %d", d.w.active())
	case opCloseLoop:
		d.note("loop closed")
		d.w.closeLoop()
	case opShutdown:
		d.note("shutdown")
		d.w.shutdown()
	}
}
