package environment

import (
	"os"
	"strconv"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/result"
)

// machine fills in facts that only this kernel reports. Missing facts stay empty.
func machine(e *result.Environment) {
	e.Kernel = line("/proc/sys/kernel/osrelease")
	e.ClockSource = line("/sys/devices/system/clocksource/clocksource0/current_clocksource")
	e.CgroupCPU = first("/sys/fs/cgroup/cpu.max", "/sys/fs/cgroup/cpu/cpu.cfs_quota_us")
	e.CgroupMemory = first("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
	status, _ := os.ReadFile("/proc/self/status")
	for text := range strings.Lines(string(status)) {
		if list, ok := strings.CutPrefix(text, "Cpus_allowed_list:"); ok {
			e.Affinity = strings.TrimSpace(list)
		}
	}
}

// Load is the machine's load average of one minute, 0 if unknown.
func Load() float64 {
	text, _, _ := strings.Cut(line("/proc/loadavg"), " ")
	load, _ := strconv.ParseFloat(text, 64)
	return load
}

func first(paths ...string) string {
	for _, path := range paths {
		if text := line(path); text != "" {
			return text
		}
	}
	return ""
}

// line reads a file of one line; a missing file gives "".
func line(path string) string {
	data, _ := os.ReadFile(path)
	return strings.TrimSpace(string(data))
}
