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

// Number returns the number of the calling goroutine, which it reads off the first line of its stack, "goroutine 18 [running]:".
// The runtime offers no other way that needs neither assembly nor linkname. It takes microseconds, and more the deeper the stack.
func Number() (n uint64) {
	var buf [40]byte
	line := buf[:runtime.Stack(buf[:], false)]
	for _, c := range line[len("goroutine "):] {
		if c < '0' || c > '9' {
			break
		}
		n = n*10 + uint64(c-'0')
	}
	return n
}

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
