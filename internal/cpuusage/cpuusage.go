// Package cpuusage measures the processor time of this process.
package cpuusage

import "time"

// Total is the processor time that this process has used, in its own code and in the system's. It is 0 on systems
// that do not report it.
func Total() time.Duration {
	user, system := Process()
	return user + system
}
