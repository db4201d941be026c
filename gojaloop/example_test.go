package gojaloop_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

func Example() {
	rt := gojaloop.New(eventloop.New())
	err := rt.Run(context.Background(), `
		setTimeout(() => console.log("timer"), 1);
		Promise.resolve().then(() => console.log("promise"));
		process.nextTick(() => console.log("tick"));
		console.log("script")`)
	fmt.Println(err)
	// Output:
	// script
	// tick
	// promise
	// timer
	// <nil>
}

// A Go function that blocks is a promise to the script.
func ExampleRuntime_Async() {
	rt := gojaloop.New(eventloop.New())
	lookUp := rt.Async(func(ctx context.Context, args []any) (any, error) {
		// On a goroutine of its own: it may block, until ctx ends.
		return strings.ToUpper(args[0].(string)), nil
	})
	err := rt.RunMain(context.Background(), func(vm *goja.Runtime) error {
		if err := vm.Set("lookUp", lookUp); err != nil {
			return err
		}
		_, err := vm.RunString(`(async () => console.log(await lookUp("key")))()`)
		return err
	})
	fmt.Println(err)
	// Output:
	// KEY
	// <nil>
}

// A script that is not trusted gets a deadline, no code from strings, and no globals that it does not need.
func ExampleInterruptError() {
	rt := gojaloop.New(eventloop.New(), gojaloop.WithMaxStack(500),
		gojaloop.Without(gojaloop.CodeGeneration, gojaloop.Process, gojaloop.Timers))
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	err := rt.Run(ctx, `for (;;) {}`)
	var interrupted *gojaloop.InterruptError
	fmt.Println(errors.As(err, &interrupted), errors.Is(err, context.DeadlineExceeded))
	// Output: true true
}

// One loop and one runtime for each request: scripts of different requests share nothing.
func ExampleRuntime_RunMain() {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rt := gojaloop.New(eventloop.New(), gojaloop.WithOutput(w, w))
		err := rt.RunMain(r.Context(), func(vm *goja.Runtime) error {
			if err := vm.Set("path", r.URL.Path); err != nil {
				return err
			}
			_, err := vm.RunString(`setTimeout(() => console.log("you asked for", path), 1)`)
			return err
		})
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	rec := httptest.NewRecorder()
	handler.ServeHTTP(rec, httptest.NewRequest("GET", "/a", nil))
	fmt.Print(rec.Body)
	// Output: you asked for /a
}

// A request of a script ends when its signal is aborted.
func ExampleWithFetch() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer server.Close()
	rt := gojaloop.New(eventloop.New(), gojaloop.WithFetch(server.Client()))
	err := rt.Run(context.Background(), fmt.Sprintf(`
		fetch(%q, { signal: AbortSignal.timeout(10) }).catch((e) => console.log(e.name))`, server.URL))
	fmt.Println(err)
	// Output:
	// TimeoutError
	// <nil>
}
