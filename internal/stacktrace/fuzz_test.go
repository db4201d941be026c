package stacktrace

import (
	"bytes"
	"testing"
)

// For any input, find returns one stack of the dump, or nothing.
func FuzzFind(f *testing.F) {
	f.Add([]byte("goroutine 1 [running]:\nmain.main()\n\nmain.go:1\n\ngoroutine 17 [coroutine]:\nx()\n"), uint64(17))
	f.Add([]byte("goroutine 17 [chan receive, 2 minutes]:\nx()\n\n\n\n"), uint64(17))
	f.Add([]byte("\n\ngoroutine 18446744073709551615"), ^uint64(0))
	f.Fuzz(func(t *testing.T, dump []byte, goroutine uint64) {
		s := find(dump, goroutine)
		if len(s) > 0 && !bytes.Contains(dump, s) {
			t.Errorf("%q is not of the dump", s)
		}
		for _, frame := range parse(s) {
			if frame == "" {
				t.Error("a frame is empty")
			}
		}
	})
}
