package workload

import (
	"bytes"
	"fmt"
	"runtime"
	"time"
)

// A parkWatch tells whether one goroutine sleeps. It knows nothing of how: it reads the state in the header of the
// goroutine's stack trace, "goroutine 18 [chan receive]:", so it serves every loop design.
//
// A look stops the world, so it has no place in a timed section.
type parkWatch struct {
	header []byte // "goroutine 18 ["
	buf    []byte
}

// newParkWatch makes a watch for the calling goroutine.
func newParkWatch() *parkWatch {
	buf := make([]byte, 64)
	buf = buf[:runtime.Stack(buf, false)]
	id, _, _ := bytes.Cut(bytes.TrimPrefix(buf, []byte("goroutine ")), []byte(" "))
	return &parkWatch{header: []byte("goroutine " + string(id) + " ["), buf: make([]byte, 16<<10)}
}

// state returns what the goroutine does: "running", "chan receive", "select", "syscall"…
func (p *parkWatch) state() []byte {
	for {
		n := runtime.Stack(p.buf, true)
		trace := p.buf[:n]
		for len(trace) > 0 {
			if rest, ok := bytes.CutPrefix(trace, p.header); ok {
				if end := bytes.IndexAny(rest, ",]"); end >= 0 {
					return rest[:end]
				}
			}
			next := bytes.Index(trace, []byte("\n\n"))
			if next < 0 {
				break
			}
			trace = trace[next+2:]
		}
		if n < len(p.buf) {
			return []byte("gone")
		}
		p.buf = make([]byte, 2*len(p.buf))
	}
}

// await returns when the goroutine sleeps.
func (p *parkWatch) await(patience time.Duration) error {
	deadline := time.Now().Add(patience)
	for {
		state := p.state()
		switch string(state) {
		case "running", "runnable", "preempted":
		case "gone":
			return fmt.Errorf("the loop's goroutine is gone")
		default:
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the loop does not go to sleep: still %s after %v", state, patience)
		}
		runtime.Gosched()
	}
}
