package eventloop

import (
	"testing"
	"time"
)

// BenchmarkDiagnosis is what each option that tells what a loop does costs when it is on: a task in a batch, a task by itself,
// whose outcome is waited for, and a timer.
func BenchmarkDiagnosis(b *testing.B) {
	nothing := func(Event) {}
	observe := func(what Events) Option { return optionFunc(func(l *Loop) { l.Observe(what, nothing) }) }
	for _, o := range []struct {
		name   string
		option Option
	}{
		{"Off", nil},
		{"Name", WithName("orders")},
		{"Metrics", WithMetrics()},
		{"Phases", observe(ObservePhases)},
		{"Callbacks", observe(ObserveCallbacks)},
		{"SlowCallbacks", WithSlowCallbacks(time.Hour, nil)},
		{"Watchdog", WithWatchdog(time.Hour, nil)},
		{"TraceCreation", WithTraceCreation()},
	} {
		b.Run("Submit/"+o.name, func(b *testing.B) { submitInBatches(b, benchLoop(b, o.option)) })
		b.Run("PingPong/"+o.name, func(b *testing.B) { pingPong(b, benchLoop(b, o.option)) })
		b.Run("Timer/"+o.name, func(b *testing.B) { fireTimers(b, benchLoop(b, o.option)) })
	}
}
