package gojaloop

import (
	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
	"github.com/eventloop-go/eventloop/gojaloop/internal/node/rejections"
)

// trackRejection is ECMA-262's HostPromiseRejectionTracker.
func (rt *Runtime) trackRejection(p *goja.Promise, op goja.PromiseRejectionOperation) {
	switch {
	case rt.turn.Stopped:
	case op == goja.PromiseRejectionReject:
		rt.turn.Rejections.Add(p)
	default:
		rt.turn.Rejections.Handled(p)
	}
}

// emitRejections reports: rejectionHandled first, then unhandledRejection, or as the mode says.
func (rt *Runtime) emitRejections() {
	handled, pending := rt.turn.Rejections.Take()
	for _, h := range handled {
		switch had, err := rt.process.Emit("rejectionHandled", rt.vm.ToValue(h.Promise)); {
		case err != nil:
			rt.catch(err)
		case !had && rt.process.Made():
			rt.warnOfRejection("handled", h)
		}
	}
	for _, p := range pending {
		switch {
		case rt.turn.Stopped:
			return
		case p.Promise == nil:
			continue
		}
		rt.turn.Rejections.Reported(p)
		if err := rt.reportRejection(p); err != nil {
			rt.catch(err)
		}
	}
}

func (rt *Runtime) reportRejection(p rejections.Rejection[*goja.Promise]) error {
	mode := rejections.Mode(rt.opts.flags)
	if mode == "strict" {
		rt.uncaughtRejection(p)
		if rt.turn.Stopped {
			return nil
		}
	}
	had, err := rt.process.Emit("unhandledRejection", p.Promise.Result(), rt.vm.ToValue(p.Promise))
	switch {
	case err != nil:
		return err
	case mode == "none", had && mode != "warn":
	case mode == "throw":
		rt.uncaughtRejection(p)
	default:
		rt.warnOfRejection("unhandled", p)
		if mode == "warn-with-error-code" {
			rt.process.SetCode(1)
		}
	}
	return nil
}

func (rt *Runtime) uncaughtRejection(p rejections.Rejection[*goja.Promise]) {
	if rt.program == nil && !rt.process.Listens("uncaughtException") {
		rt.report(rt.rejectionError(p.Promise.Result()))
		return
	}
	rt.uncaughtValue(rt.rejectionReason(p.Promise.Result()), nil, "unhandledRejection")
}

// warnOfRejection emits the warnings that a promise is handled too late, or not at all.
func (rt *Runtime) warnOfRejection(kind string, p rejections.Rejection[*goja.Promise]) {
	rt.process.Object()
	reason := p.Promise.Result()
	plain := rt.vm.ToValue(gojavm.PlainString(reason))
	if _, err := rt.vm.Exported("rejectionwarnings", kind)(goja.Undefined(), rt.vm.ToValue(p.ID), reason, plain); err != nil {
		rt.catch(err)
	}
}

// rejectionReason is the exception for an unhandled rejection: the reason, if it is an error, or an error with it.
func (rt *Runtime) rejectionReason(reason goja.Value) goja.Value {
	if rt.hasStack(reason) {
		return reason
	}
	const name = "UnhandledPromiseRejection"
	err := rt.vm.CodedError("Error", gojavm.CodeOfRejection,
		"This error originated either by throwing inside of an async function without a catch block, "+
			"or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason \""+
			gojavm.PlainString(reason)+"\".")
	rt.vm.SetOwn(err, "name", name)
	stack := rt.vm.ToValue(name + ": " + gojavm.Get(err, "message").String())
	_ = err.DefineDataProperty("stack", stack, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return err
}

// hasStack reports whether a value looks like an error. It may be a proxy that throws.
func (rt *Runtime) hasStack(v goja.Value) (has bool) {
	obj, ok := v.(*goja.Object)
	if ok {
		_ = rt.vm.Try(func() { has = obj.Get("stack") != nil })
	}
	return has
}

func (rt *Runtime) rejectionError(reason goja.Value) *UncaughtError {
	return rt.describe(rt.rejectionReason(reason), nil, 1)
}
