package eventloop_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/eventloop-go/eventloop"
)

// The order of callbacks is that of Node.js.
func Example() {
	loop := eventloop.New(eventloop.WithAutoExit())
	say := func(s string) func() { return func() { fmt.Println(s) } }

	loop.Submit(func() {
		fmt.Println("task")
		loop.ScheduleTimer(time.Millisecond, say("timer"))
		loop.ScheduleImmediate(say("immediate"))
		loop.ScheduleMicrotask(say("microtask"))
		loop.NextTick(say("nextTick"))
	})
	if err := loop.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// task
	// nextTick
	// microtask
	// immediate
	// timer
}

// State that only callbacks touch needs no lock, however many goroutines hand in work.
func ExampleLoop() {
	loop := eventloop.New()
	go loop.Run(context.Background())

	total := 0
	done := make(chan struct{})
	for i := range 4 {
		go func() {
			for range 1000 {
				loop.Submit(func() { total += i })
			}
			done <- struct{}{}
		}()
	}
	for range 4 {
		<-done
	}
	loop.Shutdown(context.Background())
	fmt.Println(total)
	// Output: 6000
}

// The context bounds the life of the loop. What was accepted before it ended still runs.
func ExampleLoop_Run() {
	ctx, cancel := context.WithCancel(context.Background())
	loop := eventloop.New()
	loop.Submit(func() {
		cancel()
		fmt.Println("accepted, so executed")
	})
	err := loop.Run(ctx)
	fmt.Println(err)
	// Output:
	// accepted, so executed
	// context canceled
}

func ExampleLoop_Submit() {
	loop := eventloop.New(eventloop.WithAutoExit())
	for _, word := range []string{"first", "come,", "first", "served"} {
		loop.Submit(func() { fmt.Println(word) })
	}
	loop.Run(context.Background())

	err := loop.Submit(func() {})
	fmt.Println(errors.Is(err, eventloop.ErrLoopTerminated))
	// Output:
	// first
	// come,
	// first
	// served
	// true
}

// Do is how another goroutine asks the loop something and waits for the answer.
func ExampleLoop_Do() {
	loop := eventloop.New()
	go loop.Run(context.Background())
	defer loop.Shutdown(context.Background())

	state := map[string]int{"answer": 42} // the loop's
	var answer int
	if err := loop.Do(context.Background(), func() { answer = state["answer"] }); err != nil {
		fmt.Println(err)
	}
	fmt.Println(answer)

	err := loop.Do(context.Background(), func() { panic("no such question") })
	fmt.Println(err)
	// Output:
	// 42
	// eventloop: callback panicked: no such question
}

func ExampleCall() {
	loop := eventloop.New()
	go loop.Run(context.Background())
	defer loop.Shutdown(context.Background())

	state := map[string]int{"answer": 42} // the loop's
	fmt.Println(eventloop.Call(context.Background(), loop, func() (int, error) { return state["answer"], nil }))
	// Output: 42 <nil>
}

func ExampleLoop_Shutdown() {
	loop := eventloop.New()
	go loop.Run(context.Background())

	loop.Do(context.Background(), func() {}) // by now it runs
	loop.Submit(func() { fmt.Println("accepted") })
	if err := loop.Shutdown(context.Background()); err != nil {
		fmt.Println(err)
	}
	fmt.Println(loop.Submit(func() { fmt.Println("refused") }))
	// Output:
	// accepted
	// eventloop: loop terminated
}

func ExampleLoop_Close() {
	loop := eventloop.New()
	loop.Submit(func() {
		loop.Close()
		fmt.Println("the last callback")
	})
	loop.Submit(func() { fmt.Println("dropped") })
	loop.ScheduleTimer(time.Hour, func() { fmt.Println("dropped") })

	err := loop.Run(context.Background())
	fmt.Println(err)

	var closed *eventloop.ClosedError
	if errors.As(err, &closed) {
		fmt.Println(closed.Dropped.External, closed.Dropped.Timers)
	}
	// Output:
	// the last callback
	// eventloop: loop closed, dropping 1 accepted callbacks and 1 pending timers
	// 1 1
}

func ExampleLoop_Dropped() {
	loop := eventloop.New()
	loop.Submit(func() {})
	loop.ScheduleMicrotask(func() {})
	loop.Close()
	<-loop.Done()
	d := loop.Dropped()
	fmt.Println(d.External, d.Microtasks, d.Callbacks())
	// Output: 1 1 2
}

func ExampleLoop_ScheduleTimer() {
	loop := eventloop.New(eventloop.WithAutoExit())
	loop.ScheduleTimer(20*time.Millisecond, func() { fmt.Println("later") })
	loop.ScheduleTimer(10*time.Millisecond, func() { fmt.Println("sooner") })
	cancelled, _ := loop.ScheduleTimer(15*time.Millisecond, func() { fmt.Println("never") })
	fmt.Println(loop.CancelTimer(cancelled))
	loop.Run(context.Background())
	// Output:
	// true
	// sooner
	// later
}

func ExampleLoop_CancelTimers() {
	loop := eventloop.New(eventloop.WithAutoExit())
	var timers []eventloop.Timer
	for range 3 {
		timer, _ := loop.ScheduleTimer(time.Hour, func() { fmt.Println("never") })
		timers = append(timers, timer)
	}
	fmt.Println(loop.CancelTimers(timers...))
	loop.Run(context.Background()) // nothing is left to wait for
	// Output: 3
}

// A timer can be stopped and armed again, from any goroutine, its own callback included.
func ExampleTimer() {
	loop := eventloop.New(eventloop.WithAutoExit())
	var timer eventloop.Timer
	attempts := 0
	timer, _ = loop.ScheduleTimer(time.Millisecond, func() {
		if attempts++; attempts < 3 {
			timer.Reset(time.Duration(attempts) * time.Millisecond)
		}
	})
	loop.Run(context.Background())
	fmt.Println(attempts, timer.Stop())
	// Output: 3 false
}

// A timer that only keeps house should not keep the program running.
func ExampleTimer_Unref() {
	loop := eventloop.New(eventloop.WithAutoExit())
	sweep, _ := loop.ScheduleRepeating(time.Hour, eventloop.SkipMissed, func() {})
	sweep.Unref()
	loop.Submit(func() { fmt.Println("work") })
	loop.Run(context.Background())
	fmt.Println("done")
	// Output:
	// work
	// done
}

func ExampleLoop_ScheduleRepeating() {
	loop := eventloop.New(eventloop.WithAutoExit())
	ticks := 0
	var ticker eventloop.Timer
	ticker, _ = loop.ScheduleRepeating(time.Millisecond, eventloop.CatchUpMissed, func() {
		if ticks++; ticks == 3 {
			ticker.Stop()
		}
	})
	loop.Run(context.Background())
	fmt.Println(ticks)
	// Output: 3
}

// A token keeps the loop open while work is in flight elsewhere.
func ExampleKeepAlive() {
	loop := eventloop.New(eventloop.WithAutoExit())
	loop.Submit(func() {
		token, err := loop.KeepAlive()
		if err != nil {
			return
		}
		go func() {
			defer token.Release()
			result := 6 * 7 // slow work, away from the loop
			loop.Submit(func() { fmt.Println(result) })
		}()
	})
	loop.Run(context.Background())
	// Output: 42
}

func ExampleWithPanicHandler() {
	loop := eventloop.New(eventloop.WithAutoExit(), eventloop.WithPanicHandler(func(e *eventloop.PanicError) {
		fmt.Println("handled:", e.Value)
	}))
	loop.Submit(func() { panic("oops") })
	loop.Submit(func() { fmt.Println("the loop goes on") })
	loop.Run(context.Background())
	// Output:
	// handled: oops
	// the loop goes on
}

// A greeting is a microtask that needs no closure.
type greeting struct{ name string }

func (g *greeting) Run() { fmt.Println("hello,", g.name) }

func ExampleJob() {
	loop := eventloop.New(eventloop.WithAutoExit())
	loop.EnqueueJob(&greeting{"microtask"})
	loop.Run(context.Background())
	// Output: hello, microtask
}

// Code that runs on the loop can schedule without its lock.
func ExampleOwner() {
	loop := eventloop.New(eventloop.WithAutoExit())
	loop.Submit(func() {
		owner := loop.Owner()
		owner.ScheduleTimer(0, func() { fmt.Println("timer") })
		owner.Afterward(&greeting{"end of the checkpoint"})
		owner.Enqueue(&greeting{"microtask"})
	})
	loop.Run(context.Background())
	// Output:
	// hello, microtask
	// hello, end of the checkpoint
	// timer
}
