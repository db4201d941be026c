package cookbook

import (
	"context"
	"fmt"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/loopsource"
)

func Example_source() {
	ctx := context.Background()
	loop := eventloop.New(eventloop.WithAutoExit())
	total := 0 // the loop's
	source, err := loopsource.New(loop, 16, loopsource.Wait, func(n int) { total += n })
	check(err)

	go func() { // the producer: a connection, a file, a sensor
		defer source.Close()
		for n := range 1000 {
			if err := source.Send(ctx, n); err != nil { // waits while 16 events are queued
				return
			}
		}
	}()

	check(loop.Run(ctx)) // ends when the source is closed and its events have run
	fmt.Println(total, source.Stats().Delivered)
	// Output: 499500 1000
}
