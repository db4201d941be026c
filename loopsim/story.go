package loopsim

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/internal/inside"
)

// storyLines is how many lines of a story a report shows.
const storyLines = 40

// story tells what happened: boots, crashes, faults, steps, what programs have logged, and the failure; the last lines, at most so many.
// It is for a world that was recorded, as that of a failure is.
func (w *World) story(most int) string {
	var lines []string
	for _, e := range w.inOrder() {
		switch e.kind {
		case kindBoot, kindCrash, kindEnd, kindFault, kindStep, kindLog, kindProperty, kindConn:
			first, _, more := strings.Cut(e.line(w), "\n")
			if more {
				first += " …"
			}
			lines = append(lines, first)
		}
	}
	if n := len(lines) - most; n > 0 {
		lines = append([]string{fmt.Sprintf("… %d earlier lines", n)}, lines[n:]...)
	}
	return strings.Join(lines, "\n")
}

// trace returns the whole time line, a line for each event. It is the same for the same seed.
func (w *World) trace() string {
	var b strings.Builder
	for i := range w.entries {
		b.WriteString(w.entries[i].line(w))
		b.WriteByte('\n')
	}
	return b.String()
}

// inOrder returns the entries by time: a turn that takes long is entered before what happens elsewhere meanwhile.
func (w *World) inOrder() []entry {
	all := slices.Clone(w.entries)
	slices.SortStableFunc(all, func(a, b entry) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
	return all
}

// save writes the page and the trace of a world.
func (w *World) save(dir, test string) (page, trace string, err error) {
	if dir == "" {
		dir = filepath.Join(os.TempDir(), "loopsim")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", "", err
	}
	base := filepath.Join(dir, fmt.Sprintf("%s-%d", strings.Map(fileRune, test), w.seed))
	page, trace = base+".html", base+".json"
	for _, f := range []struct {
		path  string
		write func(*os.File) error
	}{
		{page, func(f *os.File) error { return w.writePage(f, test) }},
		{trace, func(f *os.File) error { return w.writePerfetto(f) }},
	} {
		out, err := os.Create(f.path)
		if err != nil {
			return "", "", err
		}
		err = f.write(out)
		if closed := out.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return "", "", err
		}
	}
	return page, trace, nil
}

func fileRune(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
		return r
	}
	return '_'
}

// functionName is the name of a func value, without the path of its package.
func functionName(fn any) string {
	if fn == nil {
		return "microtasks"
	}
	f := runtime.FuncForPC(reflect.ValueOf(fn).Pointer())
	if f == nil {
		return "callback"
	}
	return f.Name()[strings.LastIndexByte(f.Name(), '/')+1:]
}

// madeAt is where something was made, if that is known.
func madeAt(s inside.Site) string {
	n := slices.Index(s[:], 0)
	if n < 0 {
		n = len(s)
	}
	if n == 0 {
		return "; run the seed alone to learn where it was made"
	}
	frames := runtime.CallersFrames(s[:n])
	for {
		f, more := frames.Next()
		own := strings.HasPrefix(f.Function, "github.com/eventloop-go/eventloop.") || strings.HasPrefix(f.Function, "github.com/eventloop-go/eventloop/promise.") ||
			strings.HasPrefix(f.Function, "github.com/eventloop-go/eventloop/loopnet.")
		if f.Function != "" && !own || !more {
			return fmt.Sprintf(", made at %s:%d", f.File, f.Line)
		}
	}
}
