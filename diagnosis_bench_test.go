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
		b.Run("Submit/"+o.name, func(b *testing.B) {
			l := benchLoop(b, o.option)
			ran := 0
			task := func() { ran++ }
			drained := make(chan struct{})
			last := func() { ran++; drained <- struct{}{} }
			for i := range b.N {
				if i == b.N-1 || i%chunk == chunk-1 {
					_ = l.Submit(last)
					<-drained
					continue
				}
				_ = l.Submit(task)
			}
			expectCount(b, "tasks", ran, b.N)
		})
		b.Run("PingPong/"+o.name, func(b *testing.B) {
			l := benchLoop(b, o.option)
			ran := 0
			answer := make(chan struct{})
			task := func() { ran++; answer <- struct{}{} }
			for range b.N {
				_ = l.Submit(task)
				<-answer
			}
			expectCount(b, "tasks", ran, b.N)
		})
		b.Run("Timer/"+o.name, func(b *testing.B) {
			l := benchLoop(b, o.option)
			fired := 0
			fn := func() { fired++ }
			rounds(b, l, b.N, func(n int) {
				owner := l.Owner()
				for range n {
					_, _ = owner.ScheduleTimer(0, fn)
				}
			})
			on(b, l, func() {})
			expectCount(b, "timers fired", fired, b.N)
		})
	}
}
