//go:build unix

package stopwatch

import (
	"time"

	"golang.org/x/sys/unix"
)

// Processor is what the process has had of the processors so far, in its own code and in the system's.
func Processor() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
