// Package cpuusage tells how much processor time this process has used.
package cpuusage

import "time"

// Total is the processor time that this process has used, in its own code and in the system's; 0 where that is unknown.
func Total() time.Duration {
	user, system := Process()
	return user + system
}
