// Package promloop gives the metrics of event loops to Prometheus.
//
//	loop := eventloop.New(inspect.WithMetrics(), eventloop.WithName("orders"))
//	prometheus.MustRegister(promloop.New(loop))
//
// Every metric has the label loop, the loop's name. Loops of the same name are added up, and ended ones stay in the sums, so
// that no counter ever falls.
//
//	eventloop_loops                          gauge      loops that have not ended
//	eventloop_callbacks_total{lane}          counter    callbacks that have run
//	eventloop_jobs_total                     counter    nextTick callbacks and microtasks that have run
//	eventloop_queued{lane}                   gauge      callbacks that wait
//	eventloop_timers_armed                   gauge      timers that are armed
//	eventloop_panics_total                   counter    callbacks that panicked or called Goexit
//	eventloop_unhandled_rejections_total     counter    promises that were rejected with nothing attached
//	eventloop_slow_callbacks_total           counter    callbacks that inspect.WithSlowCallbacks reported
//	eventloop_refused_total                  counter    calls that accepted nothing
//	eventloop_dropped_total                  counter    callbacks and timers that ended loops did not run
//	eventloop_time_seconds_total{state}      counter    active or idle: asleep, with nothing to do
//	eventloop_running_seconds                gauge      for how long the callback in progress has been running
//	eventloop_run_time_seconds               histogram  how long callbacks ran, with the microtasks that follow
//	eventloop_queue_delay_seconds            histogram  how long callbacks waited: of one in 32
//	eventloop_timer_lateness_seconds         histogram  how long after their deadline timers fired
//
// The lanes are external (Submit), internal (SubmitInternal), immediates and closing; callbacks also have timers and
// io, and the queued gauge also has jobs. [inspect.Metrics] defines each measurement. dashboard.json in this
// package's folder is a dashboard for Grafana.
package promloop
