package eventloop

import "time"

// An Option configures a loop made by [New].
type Option interface{ apply(*Loop) }

type optionFunc func(*Loop)

func (f optionFunc) apply(l *Loop) { f(l) }

// WithAutoExit makes [Loop.Run] return nil as soon as nothing is left that could cause a callback to run: no queued
// work, no referenced timer, no keep-alive token. This is how a script ends in Node. Without it, a loop with nothing
// to do waits for work.
func WithAutoExit() Option {
	return optionFunc(func(l *Loop) { l.autoExit = true })
}

// WithPanicHandler sets the function that learns of callbacks that panicked or called [runtime.Goexit]. It runs on
// the loop's goroutine, and a panic of its own is logged. The default, which nil asks for too, logs through
// [log/slog], with the
// innermost 16 frames of the stack as a list of "function(file:line)".
func WithPanicHandler(handle func(*PanicError)) Option {
	return optionFunc(func(l *Loop) {
		l.onPanic = handle
	})
}

// WithDrainTimeout bounds how long a graceful shutdown may take. When d has passed since it began, or since Run was
// called if that came later, the loop is closed as by [Loop.Close]. Run then returns an error that matches
// [ErrDrainTimeout] and [ErrLoopClosed], and [Loop.Dropped] counts the callbacks that did not run. Shutdown returns
// nil, because the loop has ended.
//
// Without it, work that keeps causing work, such as an internal task that submits itself, keeps a loop from ending.
// By default, and for d ≤ 0, there is no limit. The loop waits for a callback in progress, however long that takes.
func WithDrainTimeout(d time.Duration) Option {
	return optionFunc(func(l *Loop) { l.drainFor = max(d, 0) })
}

// withValue is adapter.WithValue.
func withValue(key, value any) Option {
	return optionFunc(func(l *Loop) {
		if l.values == nil {
			l.values = make(map[any]any)
		}
		l.values[key] = value
	})
}
