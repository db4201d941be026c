//go:build darwin || freebsd

package environment

import (
	"runtime"
	"syscall"
)

// cpuName asks the kernel.
func cpuName() string {
	key := "hw.model"
	if runtime.GOOS == "darwin" {
		key = "machdep.cpu.brand_string"
	}
	name, err := syscall.Sysctl(key)
	if err != nil {
		return ""
	}
	return name
}
