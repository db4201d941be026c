//go:build libuv && cgo

package libuv

/*
#cgo pkg-config: libuv
#include <stdint.h>
#include <stdlib.h>
#include <uv.h>

extern void eventloopOnAsync(uintptr_t loop);

static void onAsync(uv_async_t *async) { eventloopOnAsync((uintptr_t)async->data); }

static int initAsync(uv_loop_t *loop, uv_async_t *async, uintptr_t handle) {
	async->data = (void *)handle;
	return uv_async_init(loop, async, onAsync);
}

static void closeAsync(uv_async_t *async) { uv_close((uv_handle_t *)async, NULL); }
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/cgo"
	"runtime/debug"
	"sync"
	"unsafe"

	"github.com/eventloop-go/eventloop/tournament/contestant"
)

// Contestant is libuv.
var Contestant = contestant.Contestant{
	Name:  "libuv",
	About: "Node's own loop through cgo: a mutex around an append, and uv_async_send for the first task of a batch; a thread blocks in uv_run, and each wake-up crosses from Go to C and back",
	New:   func() (contestant.Loop, error) { return newLoop() },
}

// The errors of a loop.
var (
	ErrTerminated = errors.New("libuv: loop terminated")
	ErrRunning    = errors.New("libuv: loop has been run before")
)

// A loop is a uv_loop_t with one uv_async_t, behind which the tasks queue.
//
// uv_async_send is the one function of libuv that any thread may call, and several calls may lead to one callback, so
// the tasks themselves wait here.
type loop struct {
	uv    *C.uv_loop_t  // C memory
	async *C.uv_async_t // C memory
	self  cgo.Handle
	done  chan struct{}

	mu        sync.Mutex // guards all that follows but the batch
	tasks     []func()
	signalled bool // uv_async_send was called and its callback has not begun
	stopping  bool
	ended     bool
	owned     bool
	cause     error

	// The batch is the loop's.
	batch []func()
	pos   int
}

func newLoop() (*loop, error) {
	l := &loop{
		uv:    (*C.uv_loop_t)(C.malloc(C.sizeof_uv_loop_t)),
		async: (*C.uv_async_t)(C.malloc(C.sizeof_uv_async_t)),
		done:  make(chan struct{}),
	}
	if code := C.uv_loop_init(l.uv); code != 0 {
		C.free(unsafe.Pointer(l.uv))
		C.free(unsafe.Pointer(l.async))
		return nil, failure("uv_loop_init", code)
	}
	l.self = cgo.NewHandle(l)
	if code := C.initAsync(l.uv, l.async, C.uintptr_t(l.self)); code != 0 {
		C.uv_loop_close(l.uv)
		l.free()
		return nil, failure("uv_async_init", code)
	}
	return l, nil
}

func failure(call string, code C.int) error {
	return fmt.Errorf("libuv: %s: %s", call, C.GoString(C.uv_strerror(code)))
}

func (l *loop) free() {
	C.free(unsafe.Pointer(l.uv))
	C.free(unsafe.Pointer(l.async))
	l.self.Delete()
}

// Submit queues a task and signals the loop unless it was signalled. It holds the lock while it does, so that the
// loop cannot be freed meanwhile.
func (l *loop) Submit(task func()) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopping {
		return ErrTerminated
	}
	l.tasks = append(l.tasks, task)
	l.signal()
	return nil
}

// signal makes the loop's callback run. The lock is held.
func (l *loop) signal() {
	if !l.signalled && !l.ended {
		l.signalled = true
		C.uv_async_send(l.async)
	}
}

// Run is uv_run, which returns when the last handle has been closed. Being one call of C it stays on one thread.
func (l *loop) Run(ctx context.Context) error {
	l.mu.Lock()
	if l.owned {
		l.mu.Unlock()
		return ErrRunning
	}
	l.owned = true
	l.mu.Unlock()
	defer close(l.done)
	release := context.AfterFunc(ctx, func() { l.stop(context.Cause(ctx)) })
	defer release()
	C.uv_run(l.uv, C.UV_RUN_DEFAULT)
	l.mu.Lock()
	defer l.mu.Unlock()
	if code := C.uv_loop_close(l.uv); code != 0 {
		return failure("uv_loop_close", code)
	}
	l.free()
	return l.cause
}

//export eventloopOnAsync
func eventloopOnAsync(self C.uintptr_t) {
	l := cgo.Handle(self).Value().(*loop)
	for !l.work() {
	}
}

// work runs the queued tasks and reports true, or false after a panic, which must not unwind the frames of C.
func (l *loop) work() (finished bool) {
	defer func() {
		if !finished {
			if v := recover(); v != nil {
				slog.Error("libuv: a task panicked", "panic", v, "stack", string(debug.Stack()))
			}
		}
	}()
	for l.pos < len(l.batch) || l.take() {
		task := l.batch[l.pos]
		l.batch[l.pos] = nil
		l.pos++
		task()
	}
	return true
}

// keep is the capacity up to which a batch is used again.
const keep = 4096

// take swaps the batch for the queue. When the queue is empty and no more tasks will come, it closes the handle, and
// uv_run returns.
func (l *loop) take() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	spare := l.batch[:0]
	if cap(spare) > keep {
		spare = nil
	}
	l.batch, l.tasks, l.pos = l.tasks, spare, 0
	if len(l.batch) > 0 {
		return true
	}
	l.signalled = false
	if l.stopping && !l.ended {
		l.ended = true
		C.closeAsync(l.async)
	}
	return false
}

// Shutdown ends the loop when all accepted tasks have run.
func (l *loop) Shutdown(ctx context.Context) error {
	l.stop(nil)
	select {
	case <-l.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// stop makes the loop refuse tasks and drain. Run will return cause.
func (l *loop) stop(cause error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.stopping {
		l.stopping, l.cause = true, cause
	}
	l.signal()
}
