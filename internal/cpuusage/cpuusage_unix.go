//go:build unix

package cpuusage

import (
	"syscall"
	"time"
)

// Process is the processor time that this process has used.
func Process() (user, system time.Duration) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0, 0
	}
	return time.Duration(usage.Utime.Nano()), time.Duration(usage.Stime.Nano())
}
