package gojaloop

import (
	"strings"

	"github.com/dop251/goja"
)

// rejections follows promises that were rejected with nobody to handle it, as HTML (8.1.4.7) and Node do: they are
// reported when ticks and promise jobs have run out.
type rejections struct {
	pending   []rejection             // since the last report; those that were handled since are zero
	index     map[*goja.Promise]int   // of pending; nil until a promise is handled that is not among the last
	unhandled int                     // of pending, how many are not zero
	reported  map[*goja.Promise]int64 // the ids of those reported, and not handled since
	handled   []rejection             // handled after the report
	lastID    int64
}

// A rejection is a rejected promise with the number that warnings name.
type rejection struct {
	promise *goja.Promise
	id      int64
}

func (r *rejections) waiting() bool { return r.unhandled+len(r.handled) > 0 }

// add notes a promise that was rejected.
func (r *rejections) add(p *goja.Promise) {
	r.lastID++
	if r.index != nil {
		r.index[p] = len(r.pending)
	}
	r.pending = append(r.pending, rejection{p, r.lastID})
	r.unhandled++
}

// lookedAt is how many of the last promises are looked at one by one: a promise handled soon is among them.
const lookedAt = 8

// remove takes out a promise that was handled before it was reported, if it is one. What it costs does not depend on how
// many wait.
func (r *rejections) remove(p *goja.Promise) bool {
	at, found := 0, false
	for at = len(r.pending) - 1; at >= 0 && at >= len(r.pending)-lookedAt && !found; at-- {
		found = r.pending[at].promise == p
	}
	if at++; !found {
		if at == 0 {
			return false
		}
		if r.index == nil {
			r.index = make(map[*goja.Promise]int, len(r.pending))
			for i := range r.pending {
				r.index[r.pending[i].promise] = i
			}
		}
		if at, found = r.index[p]; !found {
			return false
		}
	}
	if r.index != nil {
		delete(r.index, p)
	}
	r.pending[at] = rejection{}
	if r.unhandled--; r.unhandled == 0 {
		r.pending, r.index = r.pending[:0], nil
	}
	return true
}

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
		r.add(p)
		return
	}
	if r.remove(p) {
		return
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
	r.handled, r.pending, r.index, r.unhandled = nil, nil, nil, 0
	for _, h := range handled {
		switch had, err := rt.emit("rejectionHandled", rt.vm.ToValue(h.promise)); {
		case err != nil:
			rt.catch(err)
		case !had && rt.process != nil:
			rt.warnOfRejection("handled", h)
		}
	}
	for _, p := range pending {
		switch {
		case rt.stopped:
			return
		case p.promise == nil:
			continue
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
