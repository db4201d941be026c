package eventloop

import (
	"context"
	"runtime/pprof"
	"runtime/trace"
)

// WithName names the loop. Logs about the loop, profiles and execution traces show the name. In profiles it is the
// label "eventloop" of the goroutine that called Run, and of goroutines that callbacks start. Default: "".
func WithName(name string) Option {
	return optionFunc(func(l *Loop) { l.name = name })
}

// Name returns the name set by [WithName].
func (l *Loop) Name() string { return l.name }

// runLabelled runs the loop under the profiler's label of its name.
func (l *Loop) runLabelled(ctx context.Context) {
	pprof.Do(ctx, pprof.Labels("eventloop", l.name), func(context.Context) { l.mark.Call(l.runLoop) })
}

var regions = [...]string{"eventloop: timers", "eventloop: internal", "eventloop: external", "eventloop: poll", "eventloop: check", "eventloop: close"}

// runPhaseObserved is runPhase for a phase that is observed, or that an execution trace has as a region. Both end if a callback
// calls Goexit.
func (l *Loop) runPhaseObserved(p phase) {
	l.telling = true
	defer func() { l.telling = false }()
	if trace.IsEnabled() {
		if l.task == nil {
			l.task, l.endTask = traceTask(l.name)
		}
		defer trace.StartRegion(l.task, regions[publicPhases[p]]).End()
	}
	if o := l.observed; o != nil {
		o.phaseBegan(publicPhases[p])
		defer o.phaseEnded()
	}
	l.runPhase(p)
}

// traceTask begins the loop's task in an execution trace. A trace that is started later has its regions without the
// task's name.
func traceTask(name string) (context.Context, func()) {
	if name != "" {
		name = " " + name
	}
	ctx, task := trace.NewTask(context.Background(), "eventloop"+name)
	return ctx, task.End
}
