// Package netpoll tells which descriptors are ready: a table of callbacks by descriptor above the kernel's set, which is
// epoll or kqueue. It knows nothing of loops.
//
// The set never blocks anybody. It lies in the Go runtime's own poller: a goroutine is parked there until something in the
// set becomes ready, and then tells the owner, who asks the set what it is.
//
// All system calls go through [Calls], which tests replace.
package netpoll
