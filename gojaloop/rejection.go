package gojaloop

import (
	"slices"

	"github.com/dop251/goja"
)

// rejections follows promises that were rejected with nobody to handle it, as HTML (8.1.4.7) and Node do: they are
// reported when ticks and promise jobs have run out.
type rejections struct {
	pending  []*goja.Promise        // rejected since the last report
	reported map[*goja.Promise]bool // reported, and not handled since
	handled  []*goja.Promise        // handled after the report
}

func (r *rejections) waiting() bool { return len(r.pending)+len(r.handled) > 0 }

// reportedLimit bounds the memory for reported promises, which the script may have dropped long ago: beyond it, some
// rejectionHandled events are lost.
const reportedLimit = 10000

// trackRejection is ECMA-262's HostPromiseRejectionTracker.
func (rt *Runtime) trackRejection(p *goja.Promise, op goja.PromiseRejectionOperation) {
	r := &rt.rejections
	if rt.stopped {
		return
	}
	if op == goja.PromiseRejectionReject {
		r.pending = append(r.pending, p)
		return
	}
	// A promise handled soon is among the last.
	for i := len(r.pending) - 1; i >= 0; i-- {
		if r.pending[i] == p {
			r.pending = slices.Delete(r.pending, i, i+1)
			return
		}
	}
	if r.reported[p] {
		delete(r.reported, p)
		r.handled = append(r.handled, p)
	}
}

// emitRejections reports: rejectionHandled first, then unhandledRejection, or uncaughtException where that has no
// listener.
func (rt *Runtime) emitRejections() {
	r := &rt.rejections
	handled := r.handled
	r.handled = nil
	for _, p := range handled {
		if _, err := rt.emit("rejectionHandled", rt.vm.ToValue(p)); err != nil {
			rt.catch(err)
		}
	}
	for n := len(r.pending); n > 0 && len(r.pending) > 0 && !rt.stopped; n-- {
		p := r.pending[0]
		r.pending = slices.Delete(r.pending, 0, 1)
		if r.reported == nil || len(r.reported) >= reportedLimit {
			r.reported = make(map[*goja.Promise]bool)
		}
		r.reported[p] = true
		rt.reportRejection(p)
	}
}

func (rt *Runtime) reportRejection(p *goja.Promise) {
	had, err := rt.emit("unhandledRejection", p.Result(), rt.vm.ToValue(p))
	switch {
	case err != nil:
		rt.catch(err)
	case had:
	case rt.program == nil && !rt.process.listens("uncaughtException"):
		rt.report(rt.rejectionError(p.Result()))
	default:
		rt.uncaughtValue(rt.rejectionReason(p.Result()), nil, "unhandledRejection")
	}
}
