//go:build unix && !linux

package sandbox

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// namespaces are of Linux only.
func namespaces() (level, bool) { return level{}, false }

func refusesNamespaces(error) bool { return false }

// peakMemory is the highest memory use of a process. Only Linux reports it; it is 0 here.
func peakMemory(*os.ProcessState) int64 { return 0 }

// isolate sets the limits of the kernel.
func isolate(s *settings) error {
	seconds := int64((time.Duration(s.ProcessorTime) + time.Second - 1) / time.Second)
	for _, r := range []struct {
		name  string
		which int
		value int64
	}{
		{"processor time limit", unix.RLIMIT_CPU, seconds + 1},
		{"no files written", unix.RLIMIT_FSIZE, 0},
		{"no core dumps", unix.RLIMIT_CORE, 0},
	} {
		var limit unix.Rlimit
		assign(&limit.Cur, r.value)
		assign(&limit.Max, r.value)
		if err := unix.Setrlimit(r.which, &limit); err == nil {
			s.Isolation = append(s.Isolation, r.name)
		}
	}
	return nil
}

// assign stores a value in a field whose sign differs between systems.
func assign[T int64 | uint64](field *T, value int64) { *field = T(value) }
