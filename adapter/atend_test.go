package adapter_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
)

func TestAnEndIsPreparedOnlyByAGracefulShutdownAndHappensOnceBeforeDone(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(*eventloop.Loop)
		want []string
	}{
		"shutdown":  {func(l *eventloop.Loop) { adapter.Of(l).Fail(nil) }, []string{"stop", "held", "end", "ended"}},
		"close":     {func(l *eventloop.Loop) { _ = l.Close() }, []string{"end", "ended"}},
		"by itself": {func(*eventloop.Loop) {}, []string{"end", "ended"}},
	} {
		t.Run(name, func(t *testing.T) {
			loop := eventloop.New(eventloop.WithAutoExit(), eventloop.WithPanicHandler(func(*eventloop.PanicError) {}))
			hooks := adapter.Of(loop)
			var log []string
			done := func() bool {
				select {
				case <-loop.Done():
					return true
				default:
					return false
				}
			}
			err := hooks.AtEnd(func() {
				log = append(log, "stop")
				hooks.Hold(1)
				go func() {
					_ = loop.SubmitInternal(func() {
						log = append(log, "held")
						hooks.Hold(-1)
					})
				}()
			}, func() {
				log = append(log, "end")
				if done() || loop.SubmitInternal(func() {}) == nil || hooks.AtEnd(func() {}, func() {}) == nil {
					t.Error("the loop has ended, or accepts work")
				}
				panic("end")
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := hooks.AtEnd(func() {}, func() { log = append(log, "ended") }); err != nil {
				t.Fatal(err)
			}
			if err := loop.Submit(func() { c.end(loop) }); err != nil {
				t.Fatal(err)
			}
			if err := loop.Run(context.Background()); err != nil && !errors.Is(err, eventloop.ErrLoopClosed) {
				t.Fatal(err)
			}
			if !slices.Equal(log, c.want) || !done() {
				t.Errorf("%v instead of %v; done: %v", log, c.want, done())
			}
		})
	}
}

func TestAnEndThatCallsGoexitDoesNotKeepTheLoopFromEnding(t *testing.T) {
	loop := eventloop.New()
	if err := adapter.Of(loop).AtEnd(func() {}, runtime.Goexit); err != nil {
		t.Fatal(err)
	}
	go func() { _ = loop.Run(context.Background()) }()
	if err := loop.Shutdown(context.Background()); err != nil {
		t.Error(err)
	}
}
