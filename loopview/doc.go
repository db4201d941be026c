// Package loopview serves a live page about event loops. The page has turns and phases on a time line, queue depths, and heat
// maps of run time and delay. It lists slow callbacks, active resources and unhandled rejections. It loads nothing from
// other servers.
//
//	view := loopview.New(loop)
//	http.Handle("/debug/loops/", view)
//
// # Access
//
// Operators and developers, never the public: the page shows names of functions and files, stacks, and the text of errors.
// Serve it on a listener of its own, bound to localhost or to a network for administrators, or behind a handler that asks
// who is there. It only reads: methods other than GET and HEAD are refused. It sets a content security policy, and takes
// names, stacks and errors for text.
//
// # Cost
//
// Without viewers, a [View] does nothing: its loops are not observed, and there is no goroutine. A view has viewers
// from a request until 3 seconds after the last one; a page polls twice a second. With viewers, one goroutine takes
// [inspect.ReadMetrics] of each loop twice a second, and [inspect.ActiveResources] about once a second.
//
// A loop is observed until 1,000 events have come, and again from the next half second on. An event is the begin or
// end of a phase or callback. So the page shows all phases and callbacks of a loop with little to do, and the
// beginning of each half second of a busy one. The time line hatches unobserved time. The number of viewers makes no
// difference to the loops.
//
// # Memory
//
// An observed loop takes up to 1 MB, and 3 MB with [inspect.WithTraceCreation]. The answers in progress take up to
// 500 KB for each loop. All of that is freed when the last viewer has gone. A view keeps at most 32 loops, the
// last 100 slow callbacks and the last 100 rejections, cut to 20 KB each.
//
// The list of active resources has all timers, some 100 bytes each, and the loop waits while it is made. The page leaves it
// out for a loop with metrics and more than 2,000 timers.
package loopview
