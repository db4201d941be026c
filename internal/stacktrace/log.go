package stacktrace

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
)

// Log logs a message of one line through slog's default logger, with a stack made by [Capture], or nil.
//
// A handler that quotes its values makes a stack of many lines unreadable. So handlers that write JSON get the stack
// as an array, and handlers that write text get it as one line. The default handler of a program writes messages
// verbatim: there, the stack follows on lines of its own.
func Log(ctx context.Context, level slog.Level, msg string, stack []byte, attrs ...slog.Attr) {
	if slog.Default().Enabled(ctx, level) {
		LogFrames(ctx, level, msg, parse(stack), attrs...)
	}
}

// LogFrames is Log for a stack that is a list of frames already, from the innermost outwards.
func LogFrames(ctx context.Context, level slog.Level, msg string, stack []string, attrs ...slog.Attr) {
	l, frames := slog.Default(), list(stack)
	switch {
	case len(frames) == 0:
	case writesLines(l.Handler()):
		var b strings.Builder
		b.WriteString(msg)
		for _, a := range attrs {
			fmt.Fprintf(&b, " %s=%q", a.Key, a.Value)
		}
		for _, f := range frames {
			b.WriteString("\n\t" + f)
		}
		msg, attrs = b.String(), nil
	default:
		attrs = append(attrs, slog.Any("stack", frames))
	}
	l.LogAttrs(ctx, level, msg, attrs...)
}

// writesLines recognises the handler of package log, whose type has no exported name. If it is not recognised, the stack
// is logged in one line.
func writesLines(h slog.Handler) bool { return fmt.Sprintf("%T", h) == "*slog.defaultHandler" }

// A list is the frames of a stack, from the innermost outwards.
type list []string

// MarshalText is for handlers that write text.
func (l list) MarshalText() ([]byte, error) { return []byte(strings.Join(l, " < ")), nil }

// MarshalJSON is for handlers that write JSON, which would take the text otherwise.
func (l list) MarshalJSON() ([]byte, error) { return json.Marshal([]string(l)) }

// parse makes one line of each frame: the function, the file and the line. It leaves out the runtime's calls since
// the panic.
func parse(stack []byte) (frames list) {
	lines := strings.Split(string(stack), "\n")
	for i := 1; i+1 < len(lines); i += 2 {
		frames = append(frames, strings.TrimSuffix(lines[i], "(...)")+" "+strings.TrimSpace(lines[i+1]))
	}
	for i, f := range frames {
		if strings.HasPrefix(f, "runtime.gopanic ") {
			frames = frames[i+1:]
			break
		}
	}
	for len(frames) > 1 && strings.HasPrefix(frames[0], "runtime.") { // a fault, such as a nil dereference
		frames = frames[1:]
	}
	return frames
}
