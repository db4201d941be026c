//go:build unix

package poller

import (
	"math"
	"time"
)

// milliseconds is a timeout as poll and epoll_wait take it: rounded up, and -1 for ever.
func milliseconds(timeout time.Duration) int {
	if timeout < 0 {
		return -1
	}
	return int(min((timeout+time.Millisecond-1)/time.Millisecond, math.MaxInt32))
}
