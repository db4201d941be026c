package cookbook

import (
	"context"
	"fmt"
	"time"

	"github.com/eventloop-go/eventloop"
)

// throttle returns a function that calls fn at most once in the time d. It passes on the first argument at once. When d has
// passed, it passes on the last one that came meanwhile.
func throttle[T any](loop *eventloop.Loop, d time.Duration, fn func(T)) func(T) {
	var last T
	resting, more := false, false
	var timer eventloop.Timer
	call := func(v T) {
		resting, more = true, false
		check(timer.Reset(d))
		fn(v)
	}
	timer = loop.NewTimer(func() {
		if resting = false; more {
			call(last)
		}
	})
	return func(v T) { // call it on the loop
		if resting {
			last, more = v, true
			return
		}
		call(v)
	}
}

func Example_throttle() {
	loop := eventloop.New(eventloop.WithAutoExit())
	draw := throttle(loop, 10*time.Millisecond, func(frame int) { fmt.Println("draw frame", frame) })
	check(loop.Submit(func() {
		for frame := range 5 {
			draw(frame)
		}
	}))
	check(loop.Run(context.Background()))
	// Output:
	// draw frame 0
	// draw frame 4
}
