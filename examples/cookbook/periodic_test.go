package cookbook

import (
	"context"
	"fmt"
	"time"

	"github.com/eventloop-go/eventloop"
)

func Example_periodic() {
	ctx, stop := context.WithCancel(context.Background()) // a server uses signal.NotifyContext
	loop := eventloop.New()
	sweeps := 0
	schedule(loop.ScheduleRepeating(time.Millisecond, func() {
		if sweeps++; sweeps == 3 {
			stop() // the signal
		}
	}))

	err := loop.Run(ctx) // returns after the callback in progress, and all work that was accepted
	fmt.Println(sweeps >= 3, err)
	// Output: true context canceled
}
