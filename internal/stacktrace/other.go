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

// Number returns the number of the calling goroutine. It parses the first line of the stack, "goroutine 18
// [running]:". Any other way would need assembly or linkname. It takes microseconds, and more for deep stacks.
func Number() uint64 {
	var buf [40]byte
	line := buf[:runtime.Stack(buf[:], false)]
	return number(line[len("goroutine "):])
}

// Of returns the stack of the goroutine with a number, in the format of [runtime.Stack]. It returns nil for an
// unknown goroutine, or with too many goroutines. For one that waits for a coroutine of this module, it returns the
// stack of a coroutine that runs. It stops the program meanwhile.
func Of(goroutine uint64) []byte { return find(dump(), goroutine) }

// dump returns the stacks of all goroutines, as far as there is room for them. It stops the program meanwhile.
func dump() []byte {
	for size := firstDump; ; size *= 4 {
		size = min(size, longestDump)
		all := make([]byte, size)
		n := runtime.Stack(all, true)
		if n < size || size == longestDump {
			return all[:n]
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
