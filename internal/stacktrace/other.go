package stacktrace

import (
	"bytes"
	"fmt"
	"runtime"
)

const (
	firstDump   = 256 << 10
	longestDump = 64 << 20
)

// Of returns the stack of the goroutine with a number, in the format of [runtime.Stack], or nil if there is none, or too many
// others. If that waits for a coroutine of this module, it is the stack of one that runs. It stops the program.
func Of(goroutine uint64) []byte {
	for size := firstDump; ; size *= 4 {
		size = min(size, longestDump)
		all := make([]byte, size)
		n := runtime.Stack(all, true)
		if n < size || size == longestDump {
			return find(all[:n], goroutine)
		}
	}
}

func find(all []byte, goroutine uint64) []byte {
	head := fmt.Appendf(nil, "goroutine %d ", goroutine)
	var running []byte
	for s := range bytes.SplitSeq(all, []byte("\n\n")) {
		state, _, _ := bytes.Cut(s, []byte("\n"))
		switch {
		case bytes.HasPrefix(state, head):
			if !bytes.Contains(state, []byte("[coroutine")) {
				return bytes.Clone(s)
			}
			if running == nil {
				running = s
			}
		case !bytes.Contains(state, []byte("[coroutine")) && bytes.Contains(s, []byte("/internal/coroutine.(*worker).main(")):
			running = s
		}
	}
	return bytes.Clone(running)
}
