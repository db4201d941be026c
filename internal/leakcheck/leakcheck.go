// Package leakcheck fails a test run that leaves goroutines behind.
package leakcheck

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// patience is how long goroutines may take to end after the last test. It is waited out only when one leaks.
const patience = 10 * time.Second

// Main runs the tests of a package, then exits with a failure if goroutines are left. Call it from TestMain. Goroutines
// whose stack names one of abandoned are no failure: those that the code under test gives up on by its contract.
func Main(m *testing.M, abandoned ...string) {
	code := m.Run()
	if left := Left(patience, abandoned...); code == 0 && len(left) > 0 {
		fmt.Fprintf(os.Stderr, "leakcheck: %d goroutines are left after the tests:\n\n%s\n", len(left), strings.Join(left, "\n\n"))
		code = 1
	}
	os.Exit(code)
}

// Left waits until only the caller and goroutines of the runtime and the testing package are left, for as long as
// patience. It returns the stacks of those that remain and name none of abandoned.
func Left(patience time.Duration, abandoned ...string) []string {
	expected := slices.Concat(expected, abandoned)
	// A goroutine that has done its work may still need to be scheduled to end. No event reports its end, so this
	// polls, at first often.
	deadline := time.Now().Add(patience)
	for pause := 100 * time.Microsecond; ; pause = min(2*pause, 100*time.Millisecond) {
		left := suspects(stacks(), expected)
		if len(left) == 0 || time.Now().After(deadline) {
			return left
		}
		time.Sleep(pause)
	}
}

// stacks returns the stacks of all goroutines, the caller's first.
func stacks() []string {
	buf := make([]byte, 64<<10)
	for {
		if n := runtime.Stack(buf, true); n < len(buf) {
			return strings.Split(strings.TrimSpace(string(buf[:n])), "\n\n")
		}
		buf = make([]byte, 2*len(buf))
	}
}

// expected names functions that mark a goroutine as belonging to the test binary itself.
var expected = []string{
	"testing.(*M).",       // alarm and coordinator
	"testing.runFuzz",     // fuzzing engine
	"testing.(*F).Fuzz",   //
	"testing.RunTests",    // while tests run
	"testing.tRunner.",    // waiting for a subtest to end
	"os/signal.loop",      // signal handling, which the fuzzing engine starts
	"os/signal.signal_re", //
	"runtime/pprof.",      // profiles being written
	"runtime/trace.",      //
	"internal/fuzz.",      //
	"runtime.ensureSigM",  //
}

func suspects(all, expected []string) []string {
	var left []string
next:
	for _, s := range all[1:] {
		for _, name := range expected {
			if strings.Contains(s, name) {
				continue next
			}
		}
		left = append(left, s)
	}
	return left
}
