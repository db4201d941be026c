//go:build !linux && !darwin && !freebsd

package environment

import "os"

// cpuName is the variable that Windows sets for every process; other systems do not set it.
func cpuName() string { return os.Getenv("PROCESSOR_IDENTIFIER") }
