package js

import (
	"time"

	"github.com/eventloop-go/eventloop/internal/inside"
)

// An EventLoopUtilization says how much of a time a loop was busy: the result of performance.eventLoopUtilization in
// Node's perf_hooks.
type EventLoopUtilization struct {
	Idle        time.Duration // the loop slept, with nothing to do
	Active      time.Duration // the rest
	Utilization float64       // Active by the sum of both, from 0 to 1; 0 if that sum is 0
}

// EventLoopUtilization returns the utilization of the loop since Run began, until now or until it ended. A callback
// in progress, and a sleep, count up to now. It is zero before Run, and for a loop without
// [github.com/eventloop-go/eventloop/inspect.WithMetrics], which does not measure its sleep. It costs as much as
// [github.com/eventloop-go/eventloop/inspect.ReadMetrics], some microseconds.
//
// Node's function with one or two earlier values is [EventLoopUtilization.Since].
func (p *Performance) EventLoopUtilization() EventLoopUtilization {
	idle, elapsed := inside.Of(p.env.loop).(inside.Diagnosis).IdleTime()
	return utilization(idle, elapsed-idle)
}

// Since returns the utilization in the time between an earlier value and u, of the same loop.
func (u EventLoopUtilization) Since(earlier EventLoopUtilization) EventLoopUtilization {
	return utilization(u.Idle-earlier.Idle, u.Active-earlier.Active)
}

func utilization(idle, active time.Duration) EventLoopUtilization {
	u := EventLoopUtilization{Idle: idle, Active: active}
	if total := idle + active; total != 0 {
		u.Utilization = float64(active) / float64(total)
	}
	return u
}
