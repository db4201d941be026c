// Package gojaloop runs JavaScript on the event loop, with the engine goja: timers, promises, nextTick and microtasks
// in exactly Node's order, Go functions as promises, and limits that a script cannot escape.
//
//	rt := gojaloop.New(eventloop.New())
//	err := rt.Run(ctx, `setTimeout(() => console.log("hello"), 10)`)
//
// A [Runtime] belongs to a loop. Its goja runtime must be touched only on that loop: inside [Runtime.Do], or in
// functions that scripts call.
package gojaloop
