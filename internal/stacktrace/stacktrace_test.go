package stacktrace

import (
	"bytes"
	"strings"
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

func TestFramesBeginWhereThePanicWasRaised(t *testing.T) {
	stack := func(cause func()) (stack []byte) {
		defer func() {
			_ = recover()
			stack = Capture()
		}()
		cause()
		return nil
	}
	for name, cause := range map[string]func(){
		"panic":     func() { panic("oops") },
		"nil map":   func() { map[int]int(nil)[1] = 2 },
		"in a call": func() { func() { panic("oops") }() },
	} {
		got := Frames(stack(cause), 2)
		if len(got) != 2 || !strings.Contains(got[0], "stacktrace.TestFramesBeginWhereThePanicWasRaised") ||
			!strings.Contains(got[0], "stacktrace_test.go:") || strings.ContainsAny(got[0], "\n\t\"") {
			t.Errorf("%s: got %q", name, got)
		}
	}
	debugged := Frames([]byte("goroutine 1 [running]:\nmain.(*T).work(0x1, {0x2, 0x3})\n\t/src/main.go:7 +0x1d\ncreated by main.main in goroutine 1\n\t/src/main.go:3 +0x2\n"), 1)
	if len(debugged) != 1 || debugged[0] != "main.(*T).work(/src/main.go:7)" {
		t.Errorf("got %q", debugged)
	}
}
