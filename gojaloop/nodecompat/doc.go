// Package nodecompat has the API of github.com/dop251/goja_nodejs/eventloop, on this project's loop. A program changes
// over by changing the import:
//
//	import eventloop "github.com/eventloop-go/eventloop/gojaloop/nodecompat"
//
// The package keeps names and signatures, restarting, and the state that survives a stop. Run waits for the same
// jobs. require reads the host's file system unless the registry says otherwise. The console is goja_nodejs's.
// Promise jobs of scripts that Go code runs have run when the call returns.
//
// Differences:
//
//   - Timers, immediates and promise jobs of scripts run in exactly Node's order, with Node's delays: at least 1 ms.
//     Timers of one delay run in the order in which they were set.
//   - Scripts find the globals of package gojaloop, process and queueMicrotask among them; setTimeout returns a Timeout
//     with ref, unref and refresh, and throws a TypeError if it gets no function. Of the ticks of a script that Go code
//     runs, the first comes after its promise jobs.
//   - Exceptions in callbacks of scripts, and unhandled rejections, are logged through [log/slog], unless the
//     script listens to uncaughtException or unhandledRejection. They used to vanish.
//   - Every method may be called from any goroutine and from inside callbacks, at the same time as any other. Inside a
//     callback Stop and Terminate cannot wait: the loop stops when the callback has returned.
//   - Functions given to RunOnLoop, and timers set with SetTimeout, by the last job of a Run still run in that Run.
//   - Symbol.asyncIterator, Promise.withResolvers and other features that the engine lacks are there once the engine has parsed a
//     script for this loop, with RunString or eval, or a global of package gojaloop is used that needs them. goja_nodejs
//     has them never.
//   - console is an accessor until it is first used.
//   - A stopped loop has no goroutine, and needs no Terminate to be collected.
//   - After a panic the loop is stopped, and can be started again unless the panic came out of a callback of a script.
//
// New code is better off with package gojaloop, which has contexts, limits, errors instead of panics, and promises.
package nodecompat
