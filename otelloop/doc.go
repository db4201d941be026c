// Package otelloop gives the metrics of event loops to OpenTelemetry.
//
//	loop := eventloop.New(inspect.WithMetrics(), eventloop.WithName("orders"))
//	instruments, err := otelloop.New(otel.GetMeterProvider(), loop)
//
// Every metric has the attribute eventloop.name, the loop's name. A metric that exists in the semantic conventions
// for Node.js has the name given there:
//
//	nodejs.eventloop.utilization              gauge           1           part of the time not asleep
//	nodejs.eventloop.time                     counter         s           by nodejs.eventloop.state: active, idle
//	nodejs.eventloop.delay.max, .mean,        gauge           s           how late timers fired
//	  .p50, .p90, .p99
//
// The others are the loop's own, named as the conventions ask for:
//
//	eventloop.callback.count                  counter         {callback}  that have run, by eventloop.lane
//	eventloop.job.count                       counter         {job}       nextTick callbacks and microtasks
//	eventloop.queue.length                    up-down counter {callback}  that wait, by eventloop.lane
//	eventloop.timer.armed                     up-down counter {timer}     that are armed
//	eventloop.callback.panics                 counter         {callback}  that panicked or called Goexit
//	eventloop.callback.slow                   counter         {callback}  that inspect.WithSlowCallbacks reported
//	eventloop.rejection.unhandled             counter         {promise}   rejected with nothing attached
//	eventloop.refused                         counter         {call}      that accepted nothing
//	eventloop.dropped                         counter         {callback}  and timers that ended loops did not run
//	eventloop.callback.running                gauge           s           how long the one in progress has been running
//	eventloop.callback.duration.max, …        gauge           s           how long they ran
//	eventloop.queue.delay.max, …              gauge           s           how long they waited: of one in 32
//
// Utilization and all durations cover the time since the last collection, as in OpenTelemetry's instrumentation for
// Node.js. A provider should have one reader, because several would share the time between them. As in the
// convention, durations are single values, because OpenTelemetry has no asynchronous histogram; package promloop has
// histograms. The convention's delay.min and delay.stddev are missing: a loop does not keep them.
//
// The lanes are external (Submit), internal (SubmitInternal), immediates and closing; callbacks also have timers and
// io, and the queue length also has jobs. [inspect.Metrics] defines each measurement.
package otelloop
