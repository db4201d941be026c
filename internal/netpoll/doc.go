// Package netpoll finds ready descriptors: it has a table of callbacks by descriptor above the kernel's set, which is
// epoll or kqueue. It depends on no loop.
//
// Calls on the set never block. The set lies in the Go runtime's own poller: a goroutine is parked there until
// something in the set becomes ready. It then notifies the owner, who asks the set for its ready descriptors.
//
// All system calls go through [Calls], which tests replace.
package netpoll
