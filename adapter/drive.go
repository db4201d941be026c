package adapter

import (
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
)

// A Driver runs a loop turn by turn, for a program that has a main loop of its own: a game, a user interface, another
// event loop. Make one with [Drive].
//
//	for {
//		select {
//		case <-driver.Ready():
//			if _, err := driver.RunReady(); err != nil {
//				return err
//			}
//		case event := <-events:
//			handle(event)
//		}
//	}
//
// The calling goroutine owns the loop for the duration of a call. Calls may come from different goroutines, one after
// the other. A driven loop does not end when nothing is left to do, even with [eventloop.WithAutoExit]. After
// [eventloop.Loop.Shutdown] or [eventloop.Loop.Close] it ends during the following calls; [Driver.Close] ends it too.
//
// A goroutine that is locked to its thread, such as the main goroutine of a user interface, may drive a loop with
// coroutines: they run on its thread. Waiting coroutines must be resumed by the locked goroutine that started them.
// Coroutines that a goroutine without a lock has started need one without a lock. Elsewhere RunReady, RunOnce and Close
// return an error that matches [eventloop.ErrInvalid], and run nothing. The check takes some microseconds in each call
// while coroutines wait (BenchmarkEnter).
type Driver struct{ d inside.Driver }

// Drive makes the loop one that is driven, instead of [eventloop.Loop.Run].
//
// Errors: [eventloop.ErrLoopRunning], [eventloop.ErrLoopTerminated], [eventloop.ErrInvalid].
func Drive(loop *eventloop.Loop) (*Driver, error) {
	d, err := inside.Of(loop).Drive()
	if err != nil {
		return nil, err
	}
	return &Driver{d}, nil
}

// Ready returns a channel that delivers when there may be something to run: call RunReady then. It has the role of
// libuv's backend descriptor and time-out. It may deliver although nothing is ready.
func (d *Driver) Ready() <-chan struct{} { return d.d.Ready() }

// RunReady runs one turn, without waiting: libuv's UV_RUN_NOWAIT. More reports that something is left that can run at once;
// Ready delivers then, too.
//
// When the loop has ended, RunReady returns the error of [eventloop.Loop.Run], or [eventloop.ErrLoopTerminated] for
// nil and in all later calls. It returns [eventloop.ErrLoopRunning] inside a callback, and while another goroutine's
// call is in progress. Ready delivers when that call is over and something is left to run.
func (d *Driver) RunReady() (more bool, err error) { return d.d.RunReady() }

// RunOnce runs one turn. If nothing is ready, it waits until something is, for wait at most: libuv's UV_RUN_ONCE. Otherwise it
// is as RunReady.
func (d *Driver) RunOnce(wait time.Duration) (more bool, err error) { return d.d.RunOnce(wait) }

// Alive reports whether a loop with [eventloop.WithAutoExit] would go on: something is queued, or a timer, a descriptor or a token
// keeps it open. It may be called between the other calls. Without that option it is always true.
func (d *Driver) Alive() bool { return d.d.Alive() }

// Close ends the loop as [eventloop.Loop.Shutdown] does: it runs all accepted work, on the calling goroutine. It
// returns the error of RunReady, or nil if the loop has ended without one.
func (d *Driver) Close() error { return d.d.Close() }
