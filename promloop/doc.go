// Package promloop gives the metrics of event loops to Prometheus.
//
//	loop := eventloop.New(eventloop.WithMetrics(), eventloop.WithName("orders"))
//	prometheus.MustRegister(promloop.New(loop))
//
// Every metric has the label loop, the loop's name. Loops of the same name are added up, and ended ones stay in the sums, so
// that no counter ever falls.
//
//	eventloop_loops                          gauge      loops that have not ended
//	eventloop_callbacks_total{lane}          counter    callbacks that have run
//	eventloop_jobs_total                     counter    nextTick callbacks and microtasks that have run
//	eventloop_queued{lane}                   gauge      callbacks that wait; timers that are armed
//	eventloop_time_seconds_total{state}      counter    active or idle: asleep, with nothing to do
//	eventloop_running_seconds                gauge      for how long the callback in progress has been running
//	eventloop_run_time_seconds               histogram  how long callbacks ran, with the microtasks that follow
//	eventloop_queue_delay_seconds            histogram  how long callbacks waited: of one in sixteen
//	eventloop_timer_lateness_seconds         histogram  how long after their deadline timers fired
//
// The lanes are external (Submit), internal (SubmitInternal), immediates, closing, timers, io and jobs. See
// [eventloop.Metrics] for what exactly is measured. dashboard.json in this package's folder is a dashboard for Grafana.
package promloop
