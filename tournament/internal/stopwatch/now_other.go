//go:build !windows

package stopwatch

import "time"

var began = time.Now()

// Now reads the monotonic clock.
func Now() Reading { return Reading(time.Since(began)) }
