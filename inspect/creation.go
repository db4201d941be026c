package inspect

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
)

// WithTraceCreation makes the loop remember where callbacks were submitted, and where timers and keep-alive tokens
// were made. [Event.Submitted], [SlowCallback] and [ActiveResources] show it. promise.TraceCreation does the same for
// promises.
//
// Each submission then takes about a microsecond and an allocation more. Places are kept as long as the loop, once each:
// 80 bytes and its share of a map for each place in the program.
func WithTraceCreation() eventloop.Option {
	return option(func(d inside.Diagnosis) { d.TraceCreation() })
}

const shown = 3 // calls of a place that are shown

// place leaves out the calls within this module that lead, if there are any others.
func place(s inside.Site) string {
	if s[0] == 0 {
		return ""
	}
	n := len(s)
	for n > 0 && s[n-1] == 0 {
		n--
	}
	var outer, inner []string
	frames := runtime.CallersFrames(s[:n])
	for more := true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); f.Function == "" {
			continue
		}
		to := &outer
		if len(outer) == 0 && within(f.Function) && !strings.HasSuffix(f.File, "_test.go") {
			to = &inner
		}
		*to = append(*to, fmt.Sprintf("%s %s:%d", f.Function, f.File, f.Line))
	}
	if len(outer) == 0 {
		outer = inner
	}
	return strings.Join(outer[:min(shown, len(outer))], " < ")
}

const module = "github.com/eventloop-go/eventloop"

// within reports whether a function belongs to this module or the modules beside it, and not to a program, an example, a
// test or the tournament, which call them.
func within(function string) bool {
	rest, found := strings.CutPrefix(function, module)
	if !found || rest == "" || rest[0] != '.' && rest[0] != '/' {
		return false
	}
	path := rest[:strings.LastIndexByte(rest, '/')+1]
	name, _, _ := strings.Cut(rest[len(path):], ".")
	for _, caller := range []string{"/cmd/", "/examples/", "/tests/", "/tournament/"} {
		if strings.Contains(path+name+"/", caller) {
			return false
		}
	}
	return !strings.HasSuffix(name, "_test")
}
