package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// report prints why a script ended, as Node does but for its line with the version, and returns the exit code.
func (s script) report(err error, stderr io.Writer) int {
	var uncaught *gojaloop.UncaughtError
	var exit *gojaloop.ExitError
	var interrupted *gojaloop.InterruptError
	switch {
	case err == nil || errors.As(err, &exit):
	case errors.As(err, &uncaught):
		detail := uncaught.Detail
		if detail == "" {
			detail = strings.TrimRight(uncaught.Message+"\n"+uncaught.Stack, "\n")
		}
		excerpt := s.excerpt(uncaught.Stack)
		if excerpt != "" && !threwError(uncaught) {
			excerpt = "\n" + strings.TrimSuffix(excerpt, "\n") // Node's form for an exception that is not an Error
		}
		fmt.Fprintf(stderr, "%s%s\n", excerpt, detail)
	case errors.As(err, &interrupted) && errors.Is(err, context.DeadlineExceeded):
		fmt.Fprintln(stderr, strings.TrimRight("loopjs: the time is over\n"+interrupted.Stack, "\n"))
		return exitTimeout
	default:
		fmt.Fprintf(stderr, "loopjs: %v\n", err)
	}
	return gojaloop.ExitCode(err)
}

// threwError reports whether the exception is an Error.
func threwError(err *gojaloop.UncaughtError) bool {
	var thrown *goja.Exception
	if !errors.As(err, &thrown) {
		return true
	}
	obj, ok := thrown.Value().(*goja.Object)
	return ok && obj.ClassName() == "Error"
}

var framePosition = regexp.MustCompile(`\(?([^()\s]+):(\d+):(\d+)\)?$`)

// excerpt shows the line of the script that threw, and where in it, if the first frame is in the script.
func (s script) excerpt(stack string) string {
	first, _, _ := strings.Cut(stack, "\n")
	at := framePosition.FindStringSubmatch(first)
	if at == nil || at[1] != s.name {
		return ""
	}
	number, err := strconv.Atoi(at[2])
	column, err2 := strconv.Atoi(at[3])
	lines := strings.Split(s.src, "\n")
	if err != nil || err2 != nil || number > len(lines) {
		return ""
	}
	line := lines[number-1]
	column = min(column-1, len(line))
	// A tab in the line is one below it too, so that the caret is where it should be.
	before := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, line[:column])
	return fmt.Sprintf("%s:%d\n%s\n%s^\n\n", s.name, number, line, before)
}
