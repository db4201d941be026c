package contracts_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// run runs a script as a program of its own, and returns its output.
func run(t *testing.T, src string, opts ...gojaloop.Option) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	return runContext(t, ctx, src, opts...)
}

func runContext(t *testing.T, ctx context.Context, src string, opts ...gojaloop.Option) (string, error) {
	t.Helper()
	var out bytes.Buffer
	rt := gojaloop.New(eventloop.New(), append([]gojaloop.Option{gojaloop.WithOutput(&out, &out)}, opts...)...)
	err := rt.Run(ctx, src)
	return out.String(), err
}

// expect runs a script that ends well, and compares its output.
func expect(t *testing.T, src, want string, opts ...gojaloop.Option) {
	t.Helper()
	out, err := run(t, src, opts...)
	if err != nil {
		t.Errorf("%s\nended with %v", src, err)
	}
	if out != want {
		t.Errorf("%s\nwrote %q\nwant  %q", src, out, want)
	}
}
