package gojaloop

import (
	"slices"
	"strings"

	"github.com/dop251/goja"
)

// rejections follows promises that were rejected with nobody to handle it, as HTML (8.1.4.7) and Node do: they are
// reported when ticks and promise jobs have run out.
type rejections struct {
	pending  []rejection             // since the last report
	reported map[*goja.Promise]int64 // the ids of those reported, and not handled since
	handled  []rejection             // handled after the report
	lastID   int64
}

// A rejection is a rejected promise with the number that warnings name.
type rejection struct {
	promise *goja.Promise
	id      int64
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
		r.lastID++
		r.pending = append(r.pending, rejection{p, r.lastID})
		return
	}
	// A promise handled soon is among the last.
	for i := len(r.pending) - 1; i >= 0; i-- {
		if r.pending[i].promise == p {
			r.pending = slices.Delete(r.pending, i, i+1)
			return
		}
	}
	if id, ok := r.reported[p]; ok {
		delete(r.reported, p)
		r.handled = append(r.handled, rejection{p, id})
	}
}

// emitRejections reports: rejectionHandled first, then unhandledRejection, or what the mode says. A promise that is
// handled while those before it are reported is reported too, as in Node.
func (rt *Runtime) emitRejections() {
	r := &rt.rejections
	handled, pending := r.handled, r.pending
	r.handled, r.pending = nil, nil
	for _, h := range handled {
		switch had, err := rt.emit("rejectionHandled", rt.vm.ToValue(h.promise)); {
		case err != nil:
			rt.catch(err)
		case !had && rt.process != nil:
			rt.warnOfRejection("handled", h)
		}
	}
	for _, p := range pending {
		if rt.stopped {
			return
		}
		if r.reported == nil || len(r.reported) >= reportedLimit {
			r.reported = make(map[*goja.Promise]int64)
		}
		r.reported[p.promise] = p.id
		if err := rt.reportRejection(p); err != nil {
			rt.catch(err)
		}
	}
}

const rejectionFlag = "--unhandled-rejections="

// rejectionMode is the mode that Node's flag sets.
func (rt *Runtime) rejectionMode() string {
	mode := "throw"
	for _, flag := range rt.opts.flags {
		if m, ok := strings.CutPrefix(flag, rejectionFlag); ok {
			mode = m
		}
	}
	return mode
}

func (rt *Runtime) reportRejection(p rejection) error {
	mode := rt.rejectionMode()
	if mode == "strict" {
		rt.uncaughtRejection(p)
		if rt.stopped {
			return nil
		}
	}
	had, err := rt.emit("unhandledRejection", p.promise.Result(), rt.vm.ToValue(p.promise))
	switch {
	case err != nil:
		return err
	case mode == "none", had && mode != "warn":
	case mode == "throw":
		rt.uncaughtRejection(p)
	default:
		rt.warnOfRejection("unhandled", p)
		if mode == "warn-with-error-code" {
			rt.process.exitCode = rt.vm.ToValue(1)
		}
	}
	return nil
}

func (rt *Runtime) uncaughtRejection(p rejection) {
	if rt.program == nil && !rt.process.listens("uncaughtException") {
		rt.report(rt.rejectionError(p.promise.Result()))
		return
	}
	rt.uncaughtValue(rt.rejectionReason(p.promise.Result()), nil, "unhandledRejection")
}

// warnOfRejection emits the warnings that a promise is handled too late, or not at all.
func (rt *Runtime) warnOfRejection(kind string, p rejection) {
	rt.processObject()
	reason := p.promise.Result()
	plain := rt.vm.ToValue(plainString(reason))
	if _, err := rt.exported("rejectionwarnings", kind)(goja.Undefined(), rt.vm.ToValue(p.id), reason, plain); err != nil {
		rt.catch(err)
	}
}
