package cookbook

import (
	"context"
	"fmt"
	"time"

	"github.com/eventloop-go/eventloop"
)

// debounce returns a function that calls fn with its last argument once it has not been called for the time d.
func debounce[T any](loop *eventloop.Loop, d time.Duration, fn func(T)) func(T) {
	var last T
	timer := loop.NewTimer(func() { fn(last) })
	return func(v T) { // call it on the loop
		last = v
		check(timer.Reset(d))
	}
}

func Example_debounce() {
	loop := eventloop.New(eventloop.WithAutoExit())
	search := debounce(loop, 10*time.Millisecond, func(text string) { fmt.Println("search for", text) })
	check(loop.Submit(func() {
		for _, typed := range []string{"g", "go", "gopher"} {
			search(typed)
		}
	}))
	check(loop.Run(context.Background()))
	// Output: search for gopher
}
