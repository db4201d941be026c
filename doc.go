// Package eventloop is the JavaScript event loop for Go: tasks, timers, microtasks and immediates on one owner
// goroutine, in Node.js's order, callable from any goroutine.
//
//	loop := eventloop.New(eventloop.WithAutoExit())
//	if err := loop.Submit(func() { fmt.Println("on the loop") }); err != nil {
//		return err
//	}
//	return loop.Run(context.Background())
//
// # Guarantees
//
//   - One owner. Callbacks run one at a time, on the goroutine that called [Loop.Run]. State touched only by
//     callbacks needs no lock.
//   - Accepted means executed. If [Loop.Submit] returns nil, the task runs before Run returns after a graceful
//     [Loop.Shutdown]; otherwise it never runs, and the error says why. [Loop.Close] is the immediate form; it
//     counts the work that it drops.
//   - Order. First in, first out, for one goroutine, and for two whose calls are ordered. Timers by deadline, then by
//     scheduling; none fires early. Phases of a turn as in Node.js; after every callback the nextTick queue and then
//     the microtask queue, until both are empty.
//   - No lost wake-up, and no processor time while idle.
//   - Isolation. A callback that panics, or calls [runtime.Goexit], loses no other callback and does not end the loop.
//   - Bounded memory. A burst's memory is given back; steady work allocates nothing per task.
//   - Any goroutine may call any method of [Loop] and [Timer].
//
// The file docs/design.md shows the turn, and the protocols behind these guarantees.
package eventloop
