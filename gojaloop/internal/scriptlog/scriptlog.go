// Package scriptlog logs exceptions of scripts so that people can read them.
package scriptlog

import (
	"context"
	"log/slog"
	"strings"

	"github.com/eventloop-go/eventloop/internal/stacktrace"
)

// Error logs a message with the stack of a script, which has one frame in each line. The stack has the format of a
// panic's on the loop.
func Error(msg, stack string) {
	var frames []string
	for line := range strings.Lines(stack) {
		frames = append(frames, strings.TrimPrefix(strings.TrimSpace(line), "at "))
	}
	stacktrace.LogFrames(context.Background(), slog.LevelError, msg, frames)
}
