// Package sandbox runs untrusted scripts, each sandbox in a process of its own. A script can ruin only its own
// process: the caller gets an error that says what happened, and goes on.
//
// The process is the program's own executable, started once more: main calls [Init] first.
//
//	func main() {
//		sandbox.Init()
//		pool, err := sandbox.NewPool(sandbox.WithFunction("price", price))
//		…
//		s, err := pool.Get(ctx)
//		…
//		defer s.Close()
//		err = s.Run(ctx, "rule.js", source)
//		err = s.Call(ctx, &discount, "discount", order)
//	}
//
// Scripts have the globals of package gojaloop except process, and the functions of [WithFunction]; they have no network,
// no files and no modules. Values cross as JSON.
//
// # Limits
//
// Memory, processor time, output, and the pending calls of Go functions are limited, and so is the time of each call,
// by its context. Exceeding a limit ends the process, and calls fail with a [LimitError] that names the limit.
//
// Further isolation depends on the system; [Sandbox.Isolation] reports it:
//
//   - Linux: resource limits of the kernel for memory, processor time, files and core dumps; no new privileges; where the
//     system allows it, user, network, IPC and PID namespaces of its own, in which there is no network at all. RequireNamespaces
//     refuses a system that gives none.
//   - Other Unix systems: resource limits for processor time, files and core dumps. Memory is sampled by the process itself.
//   - Windows: memory and processor time are sampled by the process itself. One allocation that is larger than the machine's
//     memory ends the process, as on every system; one that just fits is noticed afterwards.
//
// A fault in the engine or in Go that lets a script run code of its own is beyond these means, except for the
// namespaces. Files that the user of the process may read are then within its reach. Run the program itself as a user
// with few rights if that matters.
package sandbox
