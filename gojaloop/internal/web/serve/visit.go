// Package serve lets functions of scripts answer HTTP requests: Request and Response of the Fetch Standard, over package
// net/http.
package serve

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
)

// A Visit is a request that a script answers. The script's side, on the loop, queues acts. The goroutine of the HTTP server
// performs them, because package http forbids to use a ResponseWriter after its handler has returned.
type Visit struct {
	ctx     context.Context // ends when nobody waits for the answer any longer
	w       http.ResponseWriter
	r       *http.Request
	control *http.ResponseController
	limit   int64

	mu    sync.Mutex
	queue []act
	over  bool          // nothing is performed any more
	wake  chan struct{} // has room for one

	began    atomic.Bool // the head of the answer has been sent
	ended    atomic.Bool // the body of the request has been read to its end
	tooLarge atomic.Bool // the script has read the body up to the limit
	reading  sync.Mutex  // held by the goroutine that reads the body, and for ever by Serve when nobody may any more
	stopped  bool        // Serve has it
	duplex   bool        // the answer is streamed while the body may still come

	// The loop's goroutine owns the fields below.
	Abort   engine.Value // a function that ends the script's pending work, or nil
	Release func()       // is called once, when the script has given its answer or failed to
}

// An act is a part of an answer.
type act struct {
	head *head // comes first
	data []byte
	last bool
	err  error       // the script has failed
	done func(error) // is called when the act has been performed, or will not be
}

type head struct {
	status int
	header http.Header
}

// Errors of visits.
var (
	errOver     = errors.New("the request is over")
	ErrTooLarge = errors.New("the body of the request exceeds the limit")
)

// NewVisit makes a visit. The script reads at most limit bytes of the body; a negative limit means any number. Serve must follow.
func NewVisit(ctx context.Context, w http.ResponseWriter, r *http.Request, limit int64) *Visit {
	v := &Visit{ctx: ctx, w: w, r: r, control: http.NewResponseController(w), limit: limit, wake: make(chan struct{}, 1)}
	v.ended.Store(r.ContentLength == 0)
	return v
}

// Context ends when nobody waits for the answer any longer.
func (v *Visit) Context() context.Context { return v.ctx }

// Began reports whether the client has got a part of the answer.
func (v *Visit) Began() bool { return v.began.Load() }

// do queues an act. It is called on the loop.
func (v *Visit) do(a act) {
	v.mu.Lock()
	over := v.over
	if !over {
		v.queue = append(v.queue, a)
	}
	v.mu.Unlock()
	if over {
		a.refuse()
		return
	}
	select {
	case v.wake <- struct{}{}:
	default:
	}
	if a.last || a.err != nil {
		v.End()
	}
}

// End calls Release. It is called on the loop.
func (v *Visit) End() {
	if v.Release != nil {
		v.Release()
		v.Release = nil
	}
}

// Fail ends the visit with an error of the script. It is called on the loop.
func (v *Visit) Fail(err error) { v.do(act{err: err}) }

func (a act) refuse() {
	if a.done != nil {
		a.done(errOver)
	}
}

// Serve performs what the script does until its answer is complete. The error is the script's, of the context, or stopped if
// that channel is closed first. A client that takes no more is an error of the context too.
func (v *Visit) Serve(stopped ...<-chan struct{}) error {
	defer v.end()
	cut := context.AfterFunc(v.ctx, func() {
		if v.began.Load() { // a slow client may keep us in Write
			_ = v.control.SetWriteDeadline(past)
			_ = v.control.SetReadDeadline(past)
		}
	})
	defer cut()
	for {
		acts := v.take()
		for i, a := range acts {
			err := v.perform(a, i+1 < len(acts) && len(acts[i+1].data) > 0)
			if a.done != nil {
				a.done(err)
			}
			switch {
			case (a.err != nil || err != nil) && v.ctx.Err() != nil: // why that has failed, most likely
				return context.Cause(v.ctx)
			case a.err != nil:
				return a.err
			case err != nil:
				return &ClientError{err}
			case a.last:
				return nil
			}
		}
		select {
		case <-v.wake:
		case <-v.ctx.Done():
			return context.Cause(v.ctx)
		case <-stopped[0]:
			return ErrStopped
		case <-stopped[1]:
			return ErrStopped
		}
	}
}

// ErrStopped says that the runtime has stopped.
var ErrStopped = errors.New("the runtime has stopped")

// A ClientError says that the answer could not be written.
type ClientError struct{ error }

func (v *Visit) take() []act {
	v.mu.Lock()
	defer v.mu.Unlock()
	all := v.queue
	v.queue = nil
	return all
}

// perform performs an act. If more data follows, it does not send the head alone.
func (v *Visit) perform(a act, more bool) error {
	if h := a.head; h != nil {
		header := v.w.Header()
		for name, values := range h.header {
			header[name] = values
		}
		if _, named := header["Content-Type"]; !named {
			header["Content-Type"] = nil // package http does not guess it
		}
		v.beforeHead(a.last)
		v.began.Store(true)
		v.w.WriteHeader(h.status)
	}
	if len(a.data) > 0 {
		if _, err := v.w.Write(a.data); err != nil && !errors.Is(err, http.ErrBodyNotAllowed) {
			return err
		}
	}
	if a.last || a.err != nil || more && a.head != nil {
		return nil
	}
	if err := v.control.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}

// beforeHead prepares for an answer that comes before the end of the request's body. Package http reads the rest before a
// complete answer, up to 256 KiB, unless somebody reads it already. While an answer is streamed, the script may go on reading. Package http allows
// that, but loses track of where the next request begins if a part of the body is left.
func (v *Visit) beforeHead(complete bool) {
	if v.ended.Load() || v.r.ProtoMajor != 1 {
		return
	}
	if complete && v.stopReading() {
		return
	}
	if !complete {
		_ = v.control.EnableFullDuplex()
		v.duplex = true
	}
	v.w.Header()["Connection"] = []string{"close"}
	delete(v.w.Header(), "Keep-Alive")
}

var past = time.Unix(1, 0)

// stopReading lets nobody read the body any more. It reports false if it has interrupted somebody.
func (v *Visit) stopReading() bool {
	if v.stopped {
		return true
	}
	v.stopped = true
	if v.reading.TryLock() {
		return true
	}
	if v.control.SetReadDeadline(past) == nil {
		v.reading.Lock()
	}
	return false
}

// end refuses further acts, and waits until nobody reads the body any more.
func (v *Visit) end() {
	v.mu.Lock()
	v.over = true
	left := v.queue
	v.queue = nil
	v.mu.Unlock()
	for _, a := range left {
		a.refuse()
	}
	if v.stopReading() && v.duplex && !v.ended.Load() {
		_ = v.control.SetReadDeadline(past) // package http does not wait for the rest
	}
}

// Abandon tells the script that nobody waits for its answer. It is called on the loop. The error is an exception of the script.
func (v *Visit) Abandon(e engine.Engine, cause error) error {
	abort := v.Abort
	v.Abort = nil
	if abort == nil {
		return nil
	}
	_, err := e.Call(abort, nil, errors.Is(cause, context.DeadlineExceeded))
	return err
}
