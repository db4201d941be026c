package js

import "time"

// An EventLoopUtilization tells how much of a time a loop was busy: what performance.eventLoopUtilization returns in
// Node's perf_hooks.
type EventLoopUtilization struct {
	Idle        time.Duration // the loop slept, with nothing to do
	Active      time.Duration // the rest
	Utilization float64       // Active by the sum of both, from 0 to 1; 0 if that sum is 0
}

// EventLoopUtilization returns the utilization of the loop since Run began, until now or until it ended. A callback in
// progress, and a sleep, count up to now. It is zero before Run, and for a loop without
// [github.com/eventloop-go/eventloop.WithMetrics], which does not measure its sleep. The cost is that of
// [github.com/eventloop-go/eventloop.Loop.Metrics], some microseconds.
//
// Node's function with one or two earlier values is [EventLoopUtilization.Since].
func (p *Performance) EventLoopUtilization() EventLoopUtilization {
	m := p.env.loop.Metrics()
	return utilization(m.Idle, m.Elapsed-m.Idle)
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
