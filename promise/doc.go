// Package promise has promises for an [eventloop.Loop]: values that will be known later, with callbacks that run on
// the loop.
//
//	p := promise.Promisify(ctx, loop, fetch)               // blocks on a goroutine of its own
//	q := promise.Then(p, func(b []byte) (Config, error) {  // runs on the loop
//		return parse(b)
//	})
//	config, err := q.Wait(ctx)                            // from any other goroutine
//
// [Promise] is typed, and the right choice for Go code. [Dynamic] holds any value and has the resolution procedure of
// ECMA-262, for script engines.
//
// A coroutine is sequential code that waits for promises on the loop itself, as an async function does: see [Async].
//
// Any goroutine may make promises, attach to them and settle them. Callbacks run only on the loop's goroutine, as
// microtasks, in the order of attachment. State touched only by callbacks needs no lock. docs/concepts.md has the
// rules of ordering and a table of the bridges to goroutines, channels, contexts and timers.
//
// Only those who can still settle a promise or attach to it keep it in memory, so there is nothing to close. When the
// loop has ended, promises can still be settled and inspected, but no callback runs.
package promise
