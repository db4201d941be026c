package cookbook

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/looptest"
	"github.com/eventloop-go/eventloop/promise"
)

func Example_startState() {
	ctx := context.Background()
	loop := eventloop.New()
	go func() { check(loop.Run(ctx)) }() // this goroutine owns the loop

	stock := map[string]int{"tea": 3}             // the loop's: only callbacks touch it
	check(loop.Submit(func() { stock["tea"]-- })) // from any goroutine; does not wait
	left, err := eventloop.Call(ctx, loop, func() (int, error) { return stock["tea"], nil })
	fmt.Println(left, err)

	check(loop.Shutdown(ctx)) // runs all accepted tasks; then Run returns
	// Output: 2 <nil>
}

func Example_startTimers() {
	loop := eventloop.New(eventloop.WithAutoExit()) // Run returns when nothing is left
	ticks := 0
	var ticker eventloop.Timer
	ticker = loop.NewTicker(eventloop.SkipMissed, func() {
		if ticks++; ticks == 3 {
			ticker.Stop() // exact: it never fires again
		}
	})
	check(ticker.Reset(time.Millisecond))
	check(loop.Run(context.Background()))
	fmt.Println("ticks", ticks)
	// Output: ticks 3
}

func Example_startPromises() {
	ctx := context.Background()
	loop := eventloop.New(eventloop.WithAutoExit())
	prices := map[string]int{} // the loop's

	price := promise.Promisify(ctx, loop, func(context.Context) (int, error) {
		return 250, nil // may block: this is another goroutine
	})
	promise.Then(price, func(cents int) (int, error) { // back on the loop
		prices["tea"] = cents
		fmt.Println(prices)
		return cents, nil
	})
	check(loop.Run(ctx))
	// Output: map[tea:250]
}

func Example_startCoroutine() {
	ctx := context.Background()
	loop := eventloop.New(eventloop.WithAutoExit())
	stock := map[string]int{"tea": 1}

	sell := func(name string) {
		promise.Go(ctx, loop, func(c *promise.Coroutine) error {
			pay := promise.Sleep(c.Context(), loop, time.Millisecond) // stands for a call of the bank
			if _, err := promise.Await(c, pay); err != nil {          // other callbacks run meanwhile
				return err
			}
			if stock["tea"] == 0 { // look again after every Await
				fmt.Println(name, "is too late")
				return nil
			}
			stock["tea"]--
			fmt.Println(name, "has tea")
			return nil
		})
	}
	check(loop.Submit(func() { sell("ann"); sell("bob") }))
	check(loop.Run(ctx))
	// Output:
	// ann has tea
	// bob is too late
}

func TestAnOfferEndsAfterAnHour(t *testing.T) {
	offer := true
	looptest.Run(t, func(loop *looptest.Loop) {
		schedule(loop.ScheduleTimer(time.Hour, func() {
			offer = false
			loop.Mark("over")
		}))
	}).Expect(t, "1h0m0s timers over") // takes no time: the clock jumps
	if offer {
		t.Error("the offer has not ended")
	}
}
