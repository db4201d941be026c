package stacktrace

import (
	"bytes"
	"testing"
)

func TestTheStackBeginsWithTheCaller(t *testing.T) {
	got := Capture()
	if !bytes.HasPrefix(got, []byte("goroutine [running]:\n")) || !bytes.Contains(got, []byte("stacktrace.TestTheStackBeginsWithTheCaller(...)\n\t")) {
		t.Errorf("got %s", got)
	}
}

func TestADeepStackIsCutOff(t *testing.T) {
	var deep func(n int) []byte
	deep = func(n int) []byte {
		if n == 0 {
			return Capture()
		}
		return deep(n - 1)
	}
	if n := bytes.Count(deep(1000), []byte("\n\t")); n != frames {
		t.Errorf("%d frames, want %d", n, frames)
	}
}
