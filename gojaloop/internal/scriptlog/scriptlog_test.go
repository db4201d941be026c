package scriptlog_test

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/eventloop-go/eventloop/gojaloop/internal/scriptlog"
)

func TestStackOfAScriptIsAsReadableAsThatOfAPanic(t *testing.T) {
	old := slog.Default()
	defer slog.SetDefault(old)
	plain := &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}
	var out bytes.Buffer
	for want, handler := range map[string]slog.Handler{
		"level=ERROR msg=\"it threw\" stack=\"f (a.js:1:2) < a.js:3:4\"\n":              slog.NewTextHandler(&out, plain),
		`{"level":"ERROR","msg":"it threw","stack":["f (a.js:1:2)","a.js:3:4"]}` + "\n": slog.NewJSONHandler(&out, plain),
	} {
		out.Reset()
		slog.SetDefault(slog.New(handler))
		scriptlog.Error("it threw", "    at f (a.js:1:2)\n    at a.js:3:4")
		if out.String() != want {
			t.Errorf("logged %swant   %s", out.String(), want)
		}
	}
}
