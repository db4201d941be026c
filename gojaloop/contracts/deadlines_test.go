package contracts_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// The compiler of the engine takes time that grows with the square of the length of such a text.
func TestRequireGivesUpOnASlowCompilerWhenTheContextEnds(t *testing.T) {
	slow := "var a = 1; module.exports = " + strings.Repeat("a+", 20_000) + "a"
	rt := gojaloop.New(eventloop.New(), gojaloop.WithModules(func(string) ([]byte, error) { return []byte(slow), nil }))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err := rt.Run(ctx, `try { require('./slow.js') } catch {} console.log('not reached')`)
	var interrupted *gojaloop.InterruptError
	if !errors.As(err, &interrupted) {
		t.Errorf("ended with %v", err)
	}
}

func TestATimeoutLongerThanATimerWaitsAllTheSame(t *testing.T) {
	expect(t, `const s = AbortSignal.timeout(2 ** 40); setTimeout(() => console.log(s.aborted), 20)`, "false\n")
}
