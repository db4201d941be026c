package stopwatch

import (
	"math/bits"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	kernel32    = windows.NewLazySystemDLL("kernel32.dll")
	readCounter = kernel32.NewProc("QueryPerformanceCounter")

	// frequency is the number of counts in a second. It is fixed when the system starts, and never zero.
	frequency = sync.OnceValue(func() (perSecond uint64) {
		_, _, _ = kernel32.NewProc("QueryPerformanceFrequency").Call(uintptr(unsafe.Pointer(&perSecond)))
		return max(perSecond, 1)
	})

	// The variable for the counter is shared under a lock, because a variable of Now would be allocated each time.
	// Benchmarks count allocations.
	mu    sync.Mutex
	count uint64
)

// Now reads the performance counter, as package testing does for benchmarks. Neither call can fail since Windows XP.
func Now() Reading {
	perSecond, address := frequency(), readCounter.Addr()
	mu.Lock()
	_, _, _ = syscall.SyscallN(address, uintptr(unsafe.Pointer(&count)))
	now := count
	mu.Unlock()
	hi, lo := bits.Mul64(now, uint64(time.Second))
	ns, _ := bits.Div64(hi, lo, perSecond)
	return Reading(ns)
}
