package eventloop

import (
	"context"
	"runtime/pprof"
	"runtime/trace"
)

// WithName names the loop. The name is in what is logged about the loop, in profiles, as the label "eventloop" of the
// goroutine that Run was called on and those that callbacks start, and in execution traces. Default: "".
func WithName(name string) Option {
	return optionFunc(func(l *Loop) { l.name = name })
}

// Name returns what [WithName] was given.
func (l *Loop) Name() string { return l.name }

// runLabelled runs the loop, under the profiler's label of its name if it has one.
func (l *Loop) runLabelled(ctx context.Context) {
	if l.name == "" {
		l.mark.Call(l.own)
		return
	}
	pprof.Do(ctx, pprof.Labels("eventloop", l.name), func(context.Context) { l.mark.Call(l.own) })
}

var regions = [...]string{"eventloop: timers", "eventloop: internal", "eventloop: external", "eventloop: poll", "eventloop: check", "eventloop: close"}

// guardObserved is the loop's guard of a phase that is observed, or that an execution trace has as a region. Both end if a callback
// calls Goexit.
func (l *Loop) guardObserved(p phase) {
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
	l.guard(p)
}

// traceTask begins the task that stands for the loop in an execution trace. A trace that is started later has its regions
// without the task's name.
func traceTask(name string) (context.Context, func()) {
	if name != "" {
		name = " " + name
	}
	ctx, task := trace.NewTask(context.Background(), "eventloop"+name)
	return ctx, task.End
}
