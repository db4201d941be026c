// Package otelloop gives the metrics of event loops to OpenTelemetry.
//
//	loop := eventloop.New(eventloop.WithMetrics(), eventloop.WithName("orders"))
//	instruments, err := otelloop.New(otel.GetMeterProvider(), loop)
//
// Every metric has the attribute eventloop.name, the loop's name. Where the semantic conventions for Node.js have a metric
// that a loop can fill, it has that name:
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
//	eventloop.queue.length                    up-down counter {callback}  that wait, or timers armed, by eventloop.lane
//	eventloop.callback.running                gauge           s           how long the one in progress has been running
//	eventloop.callback.duration.max, …        gauge           s           how long they ran
//	eventloop.queue.delay.max, …              gauge           s           how long they waited: of one in sixteen
//
// Utilization and all durations are those since the last collection, as those of OpenTelemetry's instrumentation for Node.js
// are. So a provider should have one reader: several would share the time between them. As the convention has it,
// durations are single values, for there is no asynchronous histogram; package promloop has histograms. The convention's
// delay.min and delay.stddev are not there: a loop does not keep them.
//
// The lanes are external (Submit), internal (SubmitInternal), immediates, closing, timers, io and jobs. See
// [eventloop.Metrics] for what exactly is measured.
package otelloop
