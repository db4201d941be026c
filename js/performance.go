package js

import "time"

// Now is performance.now (High Resolution Time): milliseconds since the time origin, by a clock that does not jump.
func (e *Env) Now() float64 { return float64(e.now()) / millisecond }

// TimeOrigin is performance.timeOrigin: when the environment was made, in milliseconds since the Unix epoch.
func (e *Env) TimeOrigin() float64 {
	return float64(e.origin.UnixNano()/int64(time.Microsecond)) / 1000
}
