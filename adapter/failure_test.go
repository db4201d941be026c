package adapter_test

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
)

func TestTheErrorOfAFunctionThatHasNotReturnedTellsWhyAndWhere(t *testing.T) {
	failure := func(fn func()) (err *eventloop.PanicError) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer func() { err = adapter.Failure(recover()) }()
			fn()
		}()
		<-done
		return err
	}
	for name, c := range map[string]struct {
		fn   func()
		want error
	}{
		"panics":       {func() { panic(io.EOF) }, io.EOF},
		"calls Goexit": {runtime.Goexit, eventloop.ErrGoexit},
	} {
		err := failure(c.fn)
		if !errors.Is(err, c.want) {
			t.Errorf("a function that %s has the error %v; want %v", name, err, c.want)
		}
		if !strings.Contains(string(err.Stack), "TestTheErrorOfAFunction") {
			t.Errorf("the stack of a function that %s does not show it:\n%s", name, err.Stack)
		}
	}
}
