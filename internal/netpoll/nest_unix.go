//go:build unix

package netpoll

import (
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/eventloop-go/eventloop/internal/sched"
)

// nest puts a set into the poller of the Go runtime, or closes it.
//
// The runtime asks to be told of edges: that the set has something new to report. A goroutine is parked in Read until then,
// calls ready, and is parked again, for the function it calls never says that it has read enough. An edge that comes
// while it is not parked is kept by the runtime. It first calls ready without an edge.
func nest(set int, name string, ready func()) (*os.File, error) {
	_ = unix.SetNonblock(set, true) // some systems set the flag, and return an error
	f := os.NewFile(uintptr(set), name)
	if f == nil {
		return nil, unix.EBADF
	}
	if err := f.SetReadDeadline(time.Time{}); err != nil { // the runtime has not taken it
		_ = f.Close()
		return nil, err
	}
	raw, err := f.SyscallConn()
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	sched.Go(func() {
		_ = raw.Read(func(uintptr) bool {
			ready()
			return false
		})
	})
	return f, nil
}
