package gojaloop

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
	"github.com/eventloop-go/eventloop/gojaloop/internal/scriptlog"
	"github.com/eventloop-go/eventloop/gojaloop/internal/web/serve"
)

// A HandlerConfig has the limits of requests that a script answers. The zero value is useful.
type HandlerConfig struct {
	// Timeout limits a request, from its arrival to the last byte of the answer. The wait for a runtime of a pool counts. At
	// the deadline a running script is interrupted, the request's signal is aborted, and pending Async functions and fetches
	// of the request are cancelled. The client gets status 503, or the connection is cut if the client has a part of the
	// answer. 0 means no limit.
	Timeout time.Duration

	// MaxBody is how many bytes of a request's body a script may read: 10 MiB by default, and any number if it is negative.
	// A client that announces more gets status 413, and the script does not run. If more comes, reading the body fails; a
	// script that lets this failure through answers with status 413.
	MaxBody int64

	// OnError gets the errors that end a request with status 500 or 503: a *[ScriptError], an *[InterruptError] or
	// [ErrStopped], for instance. Clients see the status only. It is called on the goroutine of the request, and may be
	// called by several at a time. By default errors are logged through [log/slog]. A client that goes away is no error.
	OnError func(r *http.Request, err error)
}

const defaultMaxBody = 10 << 20

// ErrTooLargeBody says that a client has sent more than MaxBody of [HandlerConfig].
var ErrTooLargeBody = serve.ErrTooLarge

// Handler returns an HTTP handler whose requests a function of the script answers: fetch(request, info), as in Deno and
// Bun. It gets a Request of the Fetch Standard, and returns a Response or a promise for one. info.remoteAddr has hostname
// and port of the client.
//
// The name is that of a function as for [Runtime.CallFunction], such as "server.fetch". If it begins with / or . it is a
// file for require. The file's exports, or the default one, are the function or an object with a method fetch:
//
//	export default { async fetch(request) { return new Response("hello") } }
//
// The runtime's loop must be running. It answers any number of requests at the same time: while one awaits something,
// others run, and they share the script's variables. For requests that must not see each other use [Pool.Handler].
//
// Bodies are streams in both directions. The loop waits for a client that reads slowly, and a client for a script that
// reads slowly. When the client goes away, the request's signal is aborted, and its pending Async functions and fetches are
// cancelled. After a complete answer, background work of the script goes on.
//
// The server sets the Content-Length of an answer with a known length. It ignores Transfer-Encoding, Trailer, TE and Upgrade
// from the script.
//
// Timers that a request sets have no deadline. If the deadline interrupts a request, other requests may lose promise jobs of
// the same turn. They then end by their own deadlines. [eventloop.Loop.Shutdown] waits for the answers in progress. Shut the
// HTTP server down first.
func (rt *Runtime) Handler(name string, config HandlerConfig) http.Handler {
	return config.handler(func(ctx context.Context, q request) error { return rt.answer(ctx, q, rt.named(name)) })
}

// Handler is [Runtime.Handler] with a runtime of the pool for each request. The request has it alone, until the last byte of
// the answer. So as many requests run at a time as the pool has runtimes, and the others wait; choose [PoolConfig].Size by
// that. Work that the script leaves behind ends with the request.
//
// Requests have status 503 after Shutdown, which waits for those under way.
func (p *Pool) Handler(name string, config HandlerConfig) http.Handler {
	return config.handler(func(ctx context.Context, q request) error {
		return p.Do(ctx, func(ctx context.Context, rt *Runtime) error { return rt.answer(ctx, q, rt.named(name)) })
	})
}

// A request is one of an HTTP server.
type request struct {
	w      http.ResponseWriter
	r      *http.Request
	config *HandlerConfig
}

// handler makes a handler of a function that answers requests. Its error is why it has not begun to.
func (c HandlerConfig) handler(answer func(context.Context, request) error) http.Handler {
	if c.MaxBody == 0 {
		c.MaxBody = defaultMaxBody
	}
	if c.OnError == nil {
		c.OnError = logError
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := request{w, r, &c}
		if c.MaxBody >= 0 && r.ContentLength > c.MaxBody {
			q.refuse(http.StatusRequestEntityTooLarge)
			return
		}
		ctx := r.Context()
		if c.Timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, c.Timeout)
			defer cancel()
		}
		if err := answer(ctx, q); err != nil {
			q.fail(err, false)
		}
	})
}

// answer has begin called on the loop, in a callback of the runtime, and writes what the script does with the visit.
func (rt *Runtime) answer(ctx context.Context, q request, begin func(v *serve.Visit) error) error {
	// Background work of the script goes on after the answer. So life ends only if ctx ends before the answer is complete.
	deadline, pass := context.WithCancelCause(context.WithoutCancel(ctx))
	life, cancel := context.WithCancelCause(context.WithValue(deadline, deadlineKey{}, deadline))
	defer context.AfterFunc(ctx, func() {
		if ctx.Err() == context.DeadlineExceeded {
			pass(context.Cause(ctx)) // ends life too
		}
		cancel(context.Cause(ctx))
	})()
	v := serve.NewVisit(life, q.w, q.r, q.config.MaxBody)
	if err := rt.submitRequest(func() { rt.visit(v, begin) }); err != nil {
		return errLoopEnded
	}
	err := v.Serve(rt.ended, rt.loop.Done())
	if err != nil && err == context.Cause(life) {
		err = &InterruptError{Cause: err}
	}
	if err != nil {
		_ = rt.submitRequest(func() { rt.leave(v, err) }) // an ended loop has nothing under way
		q.conclude(v, err)
	}
	return nil
}

// deadlineKey is the key of a context that ends at the deadline of a request only.
type deadlineKey struct{}

// interrupting returns the context whose end interrupts a script that runs for ctx. A client that leaves ends what the script
// waits for, but not the script itself, which may have to clean up.
func interrupting(ctx context.Context) context.Context {
	if deadline, ok := ctx.Value(deadlineKey{}).(context.Context); ok {
		return deadline
	}
	return ctx
}

// submitRequest submits a task. A loop that drains takes it too, because the client has been accepted before.
func (rt *Runtime) submitRequest(fn func()) error {
	err := rt.loop.Submit(fn)
	if err != nil {
		err = rt.loop.SubmitInternal(fn)
	}
	return err
}

// visit lets the script answer a request. It is called on the loop.
func (rt *Runtime) visit(v *serve.Visit, begin func(v *serve.Visit) error) {
	ctx := v.Context()
	if rt.turn.Stopped || ctx.Err() != nil {
		return
	}
	alive, _ := rt.loop.KeepAlive() // it fails on a loop that drains, which the hold keeps
	adapter.Of(rt.loop).Hold(1)
	rt.pending++
	v.Release = func() {
		rt.pending--
		adapter.Of(rt.loop).Hold(-1)
		alive()
		if !rt.turn.Inside() {
			rt.settle()
		}
	}
	defer rt.callFor(ctx)()
	w := rt.vm.Watch(interrupting(ctx))
	rt.turn.Enter(func() {
		if err := rt.thrown(rt.protect(func(*goja.Runtime) error { return begin(v) })); err != nil {
			v.Fail(err)
		}
	})
	if w.End() {
		v.Fail(interruptError(w))
	}
}

// leave tells the script that nobody waits for an answer any longer. It is called on the loop.
func (rt *Runtime) leave(v *serve.Visit, cause error) {
	v.End()
	rt.turn.Enter(func() {
		if err := v.Abandon(&rt.host, cause); err != nil {
			rt.catch(err)
		}
	})
}

// conclude ends a request in place of the script.
func (q request) conclude(v *serve.Visit, err error) {
	switch failed := (*serve.ClientError)(nil); {
	case v.TooLarge() && !v.Began():
		q.refuse(http.StatusRequestEntityTooLarge)
		return
	case errors.As(err, &failed):
		panic(http.ErrAbortHandler)
	case errors.Is(err, serve.ErrStopped):
		err = ErrStopped
	}
	q.fail(err, v.Began())
}

// fail reports an error, and has the client see a status or the end of the connection.
func (q request) fail(err error, began bool) {
	if q.r.Context().Err() != nil && !errors.Is(err, context.DeadlineExceeded) {
		panic(http.ErrAbortHandler) // the client is not there any more
	}
	q.config.OnError(q.r, err)
	if began {
		panic(http.ErrAbortHandler) // otherwise the client takes a part for the whole
	}
	status := http.StatusServiceUnavailable
	if thrown := (*ScriptError)(nil); errors.As(err, &thrown) || errors.Is(err, ErrNotFunction) {
		status = http.StatusInternalServerError
	}
	q.refuse(status)
}

func (q request) refuse(status int) { http.Error(q.w, http.StatusText(status), status) }

func logError(r *http.Request, err error) {
	if thrown := (*ScriptError)(nil); errors.As(err, &thrown) {
		scriptlog.Error(err.Error(), thrown.Stack)
		return
	}
	slog.Error("gojaloop: a request has failed", "method", r.Method, "path", r.URL.Path, "error", err)
}

// named finds the function of a name and calls it for a request.
func (rt *Runtime) named(name string) func(v *serve.Visit) error {
	return func(v *serve.Visit) error {
		rt.vm.PrepareAll()
		fn, this, err := rt.requestHandler(name)
		if err != nil {
			return err
		}
		return rt.callWith(v, rt.vm.Exported("serve", "visit"), fn, this)
	}
}

// callWith calls a function of the library with arguments and a visit.
func (rt *Runtime) callWith(v *serve.Visit, fn goja.Callable, args ...goja.Value) error {
	held := rt.vm.Make(engine.Held{Value: v}).(goja.Value)
	_, err := fn(goja.Undefined(), append(args, held, rt.vm.ToValue(v.Method()), rt.vm.ToValue(v.Bodied()))...)
	return err
}

// requestHandler finds the function that answers requests, and its receiver.
func (rt *Runtime) requestHandler(name string) (fn, this goja.Value, err error) {
	if !strings.HasPrefix(name, "/") && !strings.HasPrefix(name, ".") {
		return rt.lookUp(name)
	}
	exports, err := rt.Require(name)
	if err != nil {
		return nil, nil, err
	}
	for _, property := range []string{"default", "fetch"} {
		obj, ok := exports.(*goja.Object)
		if !ok {
			break
		}
		if v := obj.Get(property); v != nil && !goja.IsUndefined(v) {
			this, exports = obj, v
		}
	}
	if _, ok := goja.AssertFunction(exports); !ok {
		return nil, nil, fmt.Errorf("%w: %q exports no handler of requests", ErrNotFunction, name)
	}
	return exports, this, nil
}
