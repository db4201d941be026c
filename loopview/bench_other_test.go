//go:build !unix

package loopview

import "time"

// processorTime is not known.
func processorTime() time.Duration { return 0 }
