// Package loopview serves a live page about event loops: their turns and phases on a time line, queue depths, run time and
// delay as heat maps, slow callbacks, what keeps each loop alive, and unhandled rejections. The page needs no network but
// the server that it comes from.
//
//	view := loopview.New(loop)
//	http.Handle("/debug/loops/", view)
//
// # Who should reach it
//
// Operators and developers, never the public: the page shows names of functions and files, stacks, and the text of errors.
// Serve it on a listener of its own, bound to localhost or to a network for administrators, or behind a handler that asks
// who is there. It only reads: methods other than GET and HEAD are refused. It sets a content security policy, and takes
// names, stacks and errors for text.
//
// # Cost
//
// While nobody looks, a [View] does nothing: its loops are not observed, and there is no goroutine. Somebody looks
// from a request on until 3 seconds after the last one; a page asks twice a second. Meanwhile one goroutine takes
// [eventloop.Loop.Metrics] of each loop twice a second, and asks about once a second for
// [eventloop.Loop.ActiveResources]. Phases and callbacks are observed until 1,000 events have come, which are that one begins or
// ends, and again from the next half second on: all of a loop that has little to do, and the beginning of each half second
// of one that is busy. What is not observed is hatched on the time line. The number of viewers makes no difference to the
// loops.
//
// # Memory
//
// A loop that is looked at takes up to 1 MB, and 3 MB with [eventloop.WithTraceCreation]; what the viewers are being told, up
// to 500 KB for each loop. All of that is given back when nobody looks any more. At most 32 loops are kept, of slow callbacks
// and rejections the last 100 each, cut to 20 KB. [eventloop.Loop.ActiveResources] makes a list of all timers, some 100 bytes
// each, while the loop waits; a loop with metrics and more than 2,000 timers is not asked.
package loopview
