//go:build explore

package explored

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	. "github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/internal/explore"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/netpoll"
	"github.com/eventloop-go/eventloop/internal/netpoll/simulated"
)

// The ops of programs with descriptors, by their places in exFDKinds. A chooses the file.
const (
	exFDOpen = iota
	exFDFeed
	exFDUnregister
	exFDCloseFirst
	exFDCloseWithDuplicate
	exFDPause
	exFDResume
	exFDSubmit
	exFDSleep
	exFDPanic
	exFDHangUp
)

var exFDKinds = []explore.OpKind{
	exFDOpen:               {Name: "open", Weight: 8, Callback: true},
	exFDFeed:               {Name: "feed", Weight: 10},
	exFDUnregister:         {Name: "unregister", Weight: 4},
	exFDCloseFirst:         {Name: "closefirst", Weight: 3},
	exFDCloseWithDuplicate: {Name: "closedup", Weight: 2},
	exFDPause:              {Name: "pause", Weight: 2},
	exFDResume:             {Name: "resume", Weight: 2},
	exFDSubmit:             {Name: "submit", Weight: 2, Callback: true},
	exFDSleep:              {Name: "sleep", Weight: 1, Inside: -1},
	exFDPanic:              {Name: "panic", Weight: 1, Inside: 1},
	exFDHangUp:             {Name: "hangup", Weight: 3},
}

// The bits of the options.
const (
	exFDKqueue uint = 1 << iota
	exFDAuto
	exFDMeter
	exFDOptions = 3
)

// An exFile is a file of the simulated kernel and its registration.
type exFile struct {
	fd         int
	set        func(netpoll.Events)
	ready      func() netpoll.Events
	registered bool // the call that ends it has not begun
	ended      bool // it has returned
	endedOps   int  // operations of the loop then
	inside     bool // it was made by a callback
	paused     bool
	hungUp     bool
	reports    int // since the last pause or resumption
	calls      int
	watch      *Watch
}

// An exFDWorld is the judge of a run with descriptors.
type exFDWorld struct {
	k      simulated.Kernel
	l      *Loop
	owner  int
	files  [3]*exFile
	churn  bool // a goroutine closes a descriptor whose number must not be taken yet
	actors int
	ending bool
	done   bool
}

// TestExploreDescriptors has files become ready, and their descriptors closed and used again, above a simulated kernel.
func TestExploreDescriptors(t *testing.T) {
	explore.Family{Name: t.Name(), Options: exFDOptions, Actors: 3, Ops: 6, Kinds: exFDKinds, Run: exFDProgram}.Explore(t)
}

func exFDProgram(p explore.Program) {
	opts := []Option{nil, nil, WithPanicHandler(func(e *PanicError) {
		if e.Value != errExplore {
			explore.Fail("the panic handler is called with %v\n%s", e.Value, e.Stack)
		}
	})}
	if p.Options&exFDAuto != 0 {
		opts[0] = WithAutoExit()
	}
	if p.Options&exFDMeter != 0 {
		opts[1] = inspect.WithMetrics()
	}
	w := &exFDWorld{l: New(opts...), owner: -1, actors: len(p.Actors)}
	calls := w.k.Epoll()
	if p.Options&exFDKqueue != 0 {
		calls = w.k.Kqueue()
	}
	inside.ProbeOf(w.l).SetKernel(calls)
	alive, _ := w.l.KeepAlive()
	explore.GoNamed("loop", func() {
		w.owner = explore.Self()
		if err := w.l.Run(context.Background()); err != nil {
			explore.Fail("Run returns %v", err)
		}
		w.owner, w.done = -1, true
	})
	for _, ops := range p.Actors {
		explore.GoNamed("actor", func() {
			w.perform(ops)
			w.actors--
		})
	}
	explore.Until("actors", func() bool { return w.actors == 0 })
	explore.Sleep(time.Millisecond)
	explore.Quiet()
	w.quiet()
	alive()
	explore.Quiet()
	if p.Options&exFDAuto != 0 && !w.done && !w.registered() {
		explore.Fail("no descriptor keeps the loop open, and it does not end")
	}
	if w.done && w.registered() {
		explore.Fail("the loop has ended by itself with a descriptor registered")
	}
	w.ending = true
	if err := w.l.Shutdown(context.Background()); err != nil {
		explore.Fail("Shutdown returns %v", err)
	}
	explore.Quiet()
	if n := w.k.Sets(); n > 0 {
		explore.Fail("%d sets are open when the loop has ended", n)
	}
}

func (w *exFDWorld) registered() bool {
	for _, f := range w.files {
		if f != nil && f.registered {
			return true
		}
	}
	return false
}

func (w *exFDWorld) onLoop() bool { return w.owner >= 0 && explore.Self() == w.owner }

// quiet judges a moment at which all goroutines are blocked.
func (w *exFDWorld) quiet() {
	for _, f := range w.files {
		if f != nil && f.registered && !f.paused && !f.hungUp && f.ready() != 0 {
			explore.Fail("the loop sleeps while descriptor %d is ready", f.fd)
		}
	}
	n := int64(0)
	for _, f := range w.files {
		if f != nil && f.registered {
			n++
		}
	}
	if got := inside.ProbeOf(w.l).Live(); got != n+1 {
		explore.Fail("%d descriptors and a token keep the loop open, %d are counted", n, got)
	}
}

func (w *exFDWorld) perform(ops []explore.Op) {
	for _, op := range ops {
		w.one(op)
	}
}

func (w *exFDWorld) one(op explore.Op) {
	i := int(op.A) % len(w.files)
	f := w.files[i]
	open := f != nil && f.registered
	switch op.Code {
	case exFDOpen:
		if f == nil || f.ended {
			w.open(i, op.Sub)
		}
	case exFDFeed:
		if open {
			f.set(netpoll.Read)
		}
	case exFDUnregister:
		if open && !w.churn {
			w.end(f, func() {
				w.unregister(f)
				w.k.CloseFD(f.fd)
			})
		}
	case exFDCloseFirst, exFDCloseWithDuplicate:
		if open && !w.churn {
			w.end(f, func() {
				if op.Code == exFDCloseWithDuplicate {
					w.k.Dup(f.fd)
				}
				w.k.CloseFD(f.fd)
				w.unregister(f)
			})
		}
	case exFDPause, exFDResume:
		if open && !w.churn {
			w.churn = true
			w.modify(f, op.Code == exFDPause)
			w.churn = false
		}
	case exFDSubmit:
		_ = w.l.Submit(func() { w.perform(op.Sub) })
	case exFDSleep:
		explore.Sleep(time.Duration(op.B) * time.Microsecond)
	case exFDPanic:
		panic(errExplore)
	case exFDHangUp:
		if open {
			f.hungUp = true
			f.set(netpoll.Read | netpoll.Hangup)
		}
	}
}

// open makes a file and registers it.
func (w *exFDWorld) open(i int, sub []explore.Op) {
	if w.churn {
		return
	}
	w.churn = true
	f := &exFile{fd: w.k.Open(0)}
	f.set, f.ready = w.k.File(f.fd)
	var err error
	if f.watch, err = w.l.RegisterFD(f.fd, 0, func(e IOEvents) { w.callback(f, e, sub) }); err == nil {
		err = f.watch.Modify(EventRead)
	}
	if err != nil {
		if err != ErrLoopTerminated && !errors.Is(err, net.ErrClosed) || !w.ending && !w.done {
			explore.Fail("RegisterFD returns %v", err)
		}
		w.churn = false
		return
	}
	f.registered = true
	w.files[i] = f
	w.churn = false
}

// end ends a registration, while no number is used again.
func (w *exFDWorld) end(f *exFile, how func()) {
	w.churn = true
	f.registered, f.inside = false, w.onLoop()
	how()
	f.ended, f.endedOps = true, explore.Ops(max(w.owner, 0))
	w.churn = false
}

func (w *exFDWorld) unregister(f *exFile) {
	if err := f.watch.Close(); err != nil {
		explore.Fail("Close of a watch returns %v", err)
	}
}

func (w *exFDWorld) modify(f *exFile, pause bool) {
	events := EventRead
	if pause {
		events = 0
	}
	if err := f.watch.Modify(events); err != nil && (!errors.Is(err, net.ErrClosed) || !w.ending && !w.done) {
		explore.Fail("Modify returns %v", err)
	}
	f.paused, f.reports = pause, 0
}

// callback judges that the callback of a file may run.
func (w *exFDWorld) callback(f *exFile, e IOEvents, sub []explore.Op) {
	switch {
	case !w.onLoop():
		explore.Fail("a callback of a descriptor runs elsewhere than on the loop")
	case f.ended && (f.inside || explore.Ops(w.owner)-f.endedOps > exMargin):
		explore.Fail("the callback of a descriptor runs after it was unregistered")
	case e != EventRead && !(f.hungUp && e&^(EventRead|EventHangup) == 0):
		explore.Fail("the callback is called with %v", e)
	case f.registered && f.ready() == 0:
		explore.Fail("the callback of a descriptor runs that is not ready")
	}
	switch {
	case !f.hungUp:
		f.set(0)
	case e&EventRead != 0: // it would be reported in every turn
		_ = f.watch.Modify(0) // refused if another goroutine closes it meanwhile
		f.reports = 0
	default:
		if f.reports++; f.reports > 2 { // the hang-up, and one of the pause before
			explore.Fail("a paused descriptor is reported %d times", f.reports)
		}
	}
	if f.calls++; f.calls == 1 { // a callback that feeds its own descriptor would go on for ever
		w.perform(sub)
	}
}
