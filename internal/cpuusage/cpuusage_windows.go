package cpuusage

import (
	"syscall"
	"time"
)

// Process is the processor time that this process has used. Windows counts it in ticks of some 16 ms.
func Process() (user, system time.Duration) {
	self, err := syscall.GetCurrentProcess()
	var created, exited, kernel, inUser syscall.Filetime
	if err == nil {
		err = syscall.GetProcessTimes(self, &created, &exited, &kernel, &inUser)
	}
	if err != nil {
		return 0, 0
	}
	// Not Filetime.Nanoseconds, which counts from 1970: these are durations, in units of 100 ns.
	duration := func(t syscall.Filetime) time.Duration {
		return time.Duration(int64(t.HighDateTime)<<32+int64(t.LowDateTime)) * 100
	}
	return duration(inUser), duration(kernel)
}
