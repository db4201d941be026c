//go:build !linux && !darwin && !freebsd

package environment

import "os"

// cpuName is what Windows tells every process. Other systems tell nothing.
func cpuName() string { return os.Getenv("PROCESSOR_IDENTIFIER") }
