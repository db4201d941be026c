// Package stopwatch measures short times on every system. Package time does on most of them; on Windows its clock moves
// once in half a millisecond, or in sixteen.
package stopwatch

import "time"

// A Reading is a moment, in nanoseconds since an arbitrary one. Readings of one process can be compared.
type Reading int64

// Since is the time that has passed since r was taken.
func Since(r Reading) time.Duration { return Now().Sub(r) }

// Sub is the time between an earlier reading and r.
func (r Reading) Sub(earlier Reading) time.Duration { return time.Duration(r - earlier) }
