package js_test

import (
	"context"
	"math"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/leakcheck"
	"github.com/eventloop-go/eventloop/js"
)

func TestMain(m *testing.M) { leakcheck.Main(m) }

// A script is the tool of a test on a loop: an environment, and a log to compare.
type script struct {
	*js.Env
	t     *testing.T
	start time.Time
	log   []string
}

// say returns a callback that logs.
func (s *script) say(what string) func() { return func() { s.log = append(s.log, what) } }

// timeout sets a timer whose handle the test does not need.
func (s *script) timeout(fn func(), ms float64) *js.Timeout {
	t, err := s.NewTimeout(fn, ms)
	if err != nil {
		s.t.Error(err)
	}
	return t
}

func (s *script) immediate(fn func()) *js.Immediate {
	m, err := s.NewImmediate(fn)
	if err != nil {
		s.t.Error(err)
	}
	return m
}

// after returns how many milliseconds have passed since the script began.
func (s *script) after() float64 { return float64(time.Since(s.start)) / 1e6 }

// scripted runs body as the main script of a loop, in virtual time, until nothing is left to do, and compares the log.
func scripted(t *testing.T, body func(s *script), want ...string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := onLoop(t, body)
		if len(s.log) != len(want) || len(want) > 0 && !reflect.DeepEqual(s.log, want) {
			t.Errorf("log %q\nwant %q", s.log, want)
		}
	})
}

func onLoop(t *testing.T, body func(s *script), opts ...js.Option) *script {
	t.Helper()
	loop := eventloop.New(eventloop.WithAutoExit(), eventloop.WithPanicHandler(func(*eventloop.PanicError) {}))
	s := &script{Env: js.New(loop, opts...), t: t, start: time.Now()}
	if err := loop.Submit(func() { body(s) }); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Hour) // mostly virtual ones
	defer cancel()
	if err := loop.Run(ctx); err != nil {
		t.Fatal(err)
	}
	return s
}

var nan, inf = math.NaN(), math.Inf(1)
