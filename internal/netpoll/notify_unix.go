//go:build unix

package netpoll

import (
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/eventloop-go/eventloop/internal/sched"
)

// notifyFromRuntime puts a set into the poller of the Go runtime, or closes it.
//
// The runtime requests edges: reports that the set has something new. A goroutine is parked in Read until then, calls
// ready, and is parked again, because its function never reports that it has read enough. The runtime keeps an edge
// that comes while the goroutine is not parked. The goroutine first calls ready without an edge.
func notifyFromRuntime(set int, name string, ready func()) (*os.File, error) {
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
