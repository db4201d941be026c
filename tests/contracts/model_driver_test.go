package contracts_test

import (
	"fmt"
	"strings"
	"sync"

	"github.com/eventloop-go/eventloop"
)

// A world is the driver's target: the real loop, or the model of it.
type world interface {
	now() int64
	spend(d int64)     // be busy in a callback
	leave(goexit bool) // end a callback badly
	submit(kind opKind, fn func()) error
	timer(owner bool, delay int64, repeats bool, missed eventloop.MissedTicks, fn func()) (any, error)
	stopTimer(h any, forGood bool) bool
	reset(h any, delay int64) error
	ref(h any, ref bool)
	keep() (any, error)
	release(token any)
	shutdown()
	close() error
}

type opKind uint8

const (
	opNothing opKind = iota
	opExternal
	opInternal
	opImmediate
	opTick
	opMicro
	opOwnerMicro
	opAfterward
	opTimer
	opOwnerTimer
	opRepeating
	opStop
	opCancel
	opReset
	opRef
	opUnref
	opKeep
	opRelease
	opSpend
	opPanic
	opGoexit
	opShutdown
	opClose
	opKinds
)

// An op is an operation with its argument, as two bytes decode to it.
type op struct {
	kind opKind
	arg  byte
}

// An outsideEvent is an operation by another goroutine, at a time when nothing else happens.
type outsideEvent struct {
	at int64
	op op
}

// unit is the grain of delays. Each outside event has a time of its own in between. So two events never fall on the
// same nanosecond by chance, which would leave their order open.
const unit = 1000

// A program is decoded from a fuzzer's bytes.
type program struct {
	autoExit bool
	before   []op // performed before Run
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
	var p program
	p.autoExit = next()%2 == 0
	for range 1 + next()%8 {
		p.before = append(p.before, op{opKind(next() % byte(opKinds)), next()})
	}
	at := int64(0)
	for i := range int(next() % 32) {
		at += int64(next()%20) * unit
		p.outside = append(p.outside, outsideEvent{at + int64(i) + 1, op{opKind(next() % byte(opKinds)), next()}})
	}
	end := at + 50*unit + int64(len(p.outside)) + 1
	p.outside = append(p.outside, outsideEvent{end, op{opClose, 1}})
	p.inside = data
	return p
}

// A driver performs a program in a world and writes down everything that happens.
type driver struct {
	w      world
	mu     sync.Mutex // a callback that is busy and an event outside may meet, in virtual time
	order  sync.Mutex // held by an event outside, so that its effects are noted after it
	inside []byte
	log    []string
	id     int
	timers []any
	tokens []any
}

func (d *driver) note(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.log = append(d.log, fmt.Sprintf(format, args...))
}

// next returns the next byte for callbacks. When none are left it returns zeros, which do nothing.
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
		d.order.Lock()
		d.note("%d (kind %d) runs at %d", id, kind, d.w.now())
		d.order.Unlock()
		for range d.next() % 4 {
			d.perform(op{opKind(d.next() % byte(opKinds)), d.next()}, false)
		}
	}
}

func (d *driver) reported(goexit bool) { d.note("reported, Goexit %v", goexit) }

// pick chooses an element by an operation's argument, or nil.
func (d *driver) pick(from *[]any, arg byte) any {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(*from) == 0 {
		return nil
	}
	return (*from)[int(arg)%len(*from)]
}

func (d *driver) add(to *[]any, v any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	*to = append(*to, v)
}

// delays has few values, so that many are equal, and some that are hardly a delay.
func delay(arg byte) int64 {
	return [...]int64{0, -5 * unit, 1 * unit, 1 * unit, 2 * unit, 5 * unit, 10 * unit, 30 * unit}[arg%8]
}

func (d *driver) perform(o op, outside bool) {
	switch o.kind {
	case opOwnerMicro, opAfterward, opOwnerTimer, opSpend, opPanic, opGoexit:
		if outside {
			return // for callbacks only
		}
	case opShutdown, opClose:
		if o.arg%4 != 1 {
			return // or hardly a program would see its middle
		}
	}
	if outside {
		d.order.Lock()
		defer d.order.Unlock()
	}
	h := d.pick(&d.timers, o.arg>>3)
	switch o.kind {
	case opNothing:
	case opTimer, opOwnerTimer, opRepeating:
		period := delay(o.arg)
		if o.kind == opRepeating {
			period *= 5
		}
		h, err := d.w.timer(o.kind == opOwnerTimer, period, o.kind == opRepeating, eventloop.MissedTicks(o.arg>>3%3), d.callback(o.kind))
		if err == nil {
			d.add(&d.timers, h)
		}
		d.note("timer %d: %v", o.kind, err)
	case opStop, opCancel:
		if h != nil {
			d.note("stopped, %d: %v", o.kind, d.w.stopTimer(h, o.kind == opCancel))
		}
	case opReset:
		if h != nil {
			d.note("reset, %d: %v", o.kind, d.w.reset(h, delay(o.arg)*2))
		}
	case opRef, opUnref:
		if h != nil {
			d.w.ref(h, o.kind == opRef)
		}
	case opKeep:
		token, err := d.w.keep()
		if err == nil {
			d.add(&d.tokens, token)
		}
		d.note("keep: %v", err)
	case opRelease:
		if token := d.pick(&d.tokens, o.arg); token != nil {
			d.w.release(token)
		}
	case opSpend:
		d.w.spend(int64(o.arg%8) * unit)
	case opPanic, opGoexit:
		d.w.leave(o.kind == opGoexit)
	case opShutdown:
		d.w.shutdown()
	case opClose:
		d.note("close: %v", d.w.close())
	default:
		d.note("submit %d: %v", o.kind, d.w.submit(o.kind, d.callback(o.kind)))
	}
}

func (d *driver) String() string { return strings.Join(d.log, "\n") }
