// Package promise has promises for an [eventloop.Loop]: values that will be known later, with callbacks that run on
// the loop.
//
//	p := promise.Promisify(ctx, loop, fetch)               // blocks on a goroutine of its own
//	q := promise.Then(p, func(b []byte) (Config, error) {  // runs on the loop
//		return parse(b)
//	})
//	config, err := q.Await(ctx)                            // from any other goroutine
//
// [Promise] is typed, and what Go code should use. [Dynamic] holds any value and has the resolution procedure of
// ECMA-262, for script engines.
//
// A coroutine is sequential code that waits for promises on the loop itself, as an async function does: see [Async].
//
// Promises may be made, attached to and settled from any goroutine. Callbacks run on the loop's goroutine alone, as
// microtasks, in the order in which they were attached; so what they touch needs no lock. docs/promises.md has the
// rules of ordering and a table of the bridges to goroutines, channels, contexts and timers.
//
// A promise, settled or pending, is kept by those who can still settle it or attach to it, and by nothing else: there
// is nothing to close. When the loop has ended, promises can still be settled and looked at, but no callback runs.
package promise
