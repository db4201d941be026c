package loopsource_test

import (
	"context"
	"fmt"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/loopsource"
)

// A goroutine sends messages, and waits when the loop does not keep up.
func Example() {
	loop := eventloop.New(eventloop.WithAutoExit())
	total := 0 // the loop's
	source, err := loopsource.New(loop, 16, loopsource.Wait, func(n int) { total += n })
	check(err)
	go func() {
		defer source.Close()
		for n := range 1000 {
			if err := source.Send(context.Background(), n); err != nil {
				return // the loop is ending
			}
		}
	}()
	check(loop.Run(context.Background())) // it ends when the source is closed
	fmt.Println(total, source.Stats().Delivered)
	// Output: 499500 1000
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
