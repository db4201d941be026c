//go:build !unix && !windows

package cpuusage

import "time"

// Process is unknown here.
func Process() (user, system time.Duration) { return 0, 0 }
