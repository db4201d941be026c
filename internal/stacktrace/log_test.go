package stacktrace

import (
	"bytes"
	"context"
	"encoding/json"
	"log"
	"log/slog"
	"strings"
	"testing"
)

func panicStack() (stack []byte) {
	defer func() {
		_ = recover()
		stack = Capture()
	}()
	var p *int
	*p = 1
	return nil
}

func logged(t *testing.T, handler func(*bytes.Buffer) slog.Handler) string {
	t.Helper()
	var out bytes.Buffer
	if h := handler(&out); h != nil {
		old := slog.Default()
		flags, w := log.Flags(), log.Writer()
		slog.SetDefault(slog.New(h))
		defer func() {
			slog.SetDefault(old)
			log.SetFlags(flags)
			log.SetOutput(w)
		}()
	}
	Log(context.Background(), slog.LevelError, "it panicked", panicStack(), slog.String("a", "b"))
	return out.String()
}

func TestAStackIsOneLineOfText(t *testing.T) {
	out := logged(t, func(w *bytes.Buffer) slog.Handler { return slog.NewTextHandler(w, nil) })
	if strings.Count(out, "\n") != 1 || strings.Contains(out, `\n`) || strings.Contains(out, "gopanic") ||
		!strings.Contains(out, `msg="it panicked" a=b stack="github.com/eventloop-go/eventloop/internal/stacktrace.panicStack `) {
		t.Error(out)
	}
}

func TestAStackIsAnArrayInJSON(t *testing.T) {
	out := logged(t, func(w *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(w, nil) })
	var record struct{ Stack []string }
	if err := json.Unmarshal([]byte(out), &record); err != nil || len(record.Stack) < 3 ||
		!strings.Contains(record.Stack[0], "stacktrace.panicStack ") || !strings.Contains(record.Stack[0], "log_test.go:") {
		t.Errorf("%v: %s", err, out)
	}
}

func TestAStackFollowsTheMessageOfTheHandlerThatAProgramHasFromTheStart(t *testing.T) {
	w := log.Writer()
	defer log.SetOutput(w)
	var out bytes.Buffer
	log.SetOutput(&out)
	Log(context.Background(), slog.LevelError, "it panicked", panicStack(), slog.String("a", "b"))
	lines := strings.Split(out.String(), "\n")
	if len(lines) < 4 || !strings.HasSuffix(lines[0], `ERROR it panicked a="b"`) || !strings.HasPrefix(lines[1], "\tgithub.com/eventloop-go/eventloop/internal/stacktrace.panicStack ") {
		t.Error(out.String())
	}
}

func TestALevelThatIsNotLoggedIsNot(t *testing.T) {
	out := logged(t, func(w *bytes.Buffer) slog.Handler {
		return slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelError + 1})
	})
	if out != "" {
		t.Error(out)
	}
}
