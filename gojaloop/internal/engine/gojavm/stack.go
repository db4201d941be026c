package gojavm

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/dop251/goja"
)

// OwnSource begins the names of sources that are ours, whose frames no stack shows.
const OwnSource = "gojaloop:"

// isOwn reports whether a Go function of ours is named, whose frames no stack shows either.
func isOwn(name string) bool {
	return strings.Contains(name, "/gojaloop.") || strings.Contains(name, "/gojaloop/internal/")
}

// hidden reports whether a frame is ours.
func hidden(f *goja.StackFrame) bool {
	return strings.HasPrefix(f.SrcName(), OwnSource) || isOwn(f.FuncName())
}

var counterSuffix = regexp.MustCompile(`(:\d+:\d+)\(\d+\)`)

// Frames formats a stack of the engine's as JavaScript does, without our own frames that callbacks are run from.
func Frames(stack []goja.StackFrame) string {
	var b strings.Builder
	for i := range stack {
		f := &stack[i]
		if hidden(f) {
			continue
		}
		where := "native"
		if pos := f.Position(); pos.Line > 0 {
			name := f.SrcName()
			if pos.Filename != "" {
				name = pos.Filename
			}
			where = fmt.Sprintf("%s:%d:%d", name, pos.Line, pos.Column)
		}
		if fn := f.FuncName(); fn != "" && fn != "<anonymous>" {
			where = fn + " (" + where + ")"
		}
		fmt.Fprintf(&b, "    at %s\n", where)
	}
	return strings.TrimRight(b.String(), "\n")
}

// ScriptFrames takes the frames out of an error's stack.
func ScriptFrames(v goja.Value) string {
	if v == nil || goja.IsUndefined(v) {
		return ""
	}
	var kept []string
	for _, line := range strings.Split(v.String(), "\n") {
		t := strings.TrimSpace(line)
		if strings.HasPrefix(t, "at ") && !strings.Contains(t, OwnSource) && !isOwn(t) {
			kept = append(kept, "    "+counterSuffix.ReplaceAllString(t, "$1"))
		}
	}
	return strings.Join(kept, "\n")
}

// FirstLines are the first lines of a text.
func FirstLines(s string, n int) string {
	lines := strings.Split(s, "\n")
	return strings.Join(lines[:min(n, len(lines))], "\n")
}
