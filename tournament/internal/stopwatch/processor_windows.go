package stopwatch

import (
	"time"

	"golang.org/x/sys/windows"
)

// Processor is what the process has had of the processors so far, in its own code and in the system's. Windows
// counts it in ticks of some 16 ms.
func Processor() time.Duration {
	var created, ended, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &ended, &kernel, &user); err != nil {
		return 0
	}
	return duration(kernel) + duration(user)
}

// duration reads a length of time that comes in the guise of a date.
func duration(t windows.Filetime) time.Duration {
	return time.Duration(uint64(t.HighDateTime)<<32|uint64(t.LowDateTime)) * 100
}
