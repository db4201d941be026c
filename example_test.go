package eventloop_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/eventloop-go/eventloop"
)

// check stands for a program's handling of unexpected errors.
func check(err error) {
	if err != nil {
		panic(err)
	}
}

// schedule is check for calls that return a timer.
func schedule(timer eventloop.Timer, err error) eventloop.Timer {
	check(err)
	return timer
}

// The order of callbacks is Node.js's.
func Example() {
	loop := eventloop.New(eventloop.WithAutoExit())
	say := func(s string) func() { return func() { fmt.Println(s) } }

	check(loop.Submit(func() {
		fmt.Println("task")
		schedule(loop.ScheduleTimer(time.Millisecond, say("timer")))
		check(loop.ScheduleImmediate(say("immediate")))
		check(loop.ScheduleMicrotask(say("microtask")))
		check(loop.NextTick(say("nextTick")))
	}))
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
	go func() { check(loop.Run(context.Background())) }()

	total := 0
	done := make(chan struct{})
	for i := range 4 {
		go func() {
			for range 1000 {
				check(loop.Submit(func() { total += i }))
			}
			done <- struct{}{}
		}()
	}
	for range 4 {
		<-done
	}
	check(loop.Shutdown(context.Background()))
	fmt.Println(total)
	// Output: 6000
}

// The context bounds the life of the loop. Tasks accepted before it ended still run.
func ExampleLoop_Run() {
	ctx, cancel := context.WithCancel(context.Background())
	loop := eventloop.New()
	check(loop.Submit(func() {
		cancel()
		fmt.Println("accepted, so executed")
	}))
	err := loop.Run(ctx)
	fmt.Println(err)
	// Output:
	// accepted, so executed
	// context canceled
}

func ExampleLoop_Submit() {
	loop := eventloop.New(eventloop.WithAutoExit())
	for _, word := range []string{"first", "come,", "first", "served"} {
		check(loop.Submit(func() { fmt.Println(word) }))
	}
	check(loop.Run(context.Background()))

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
	go func() { check(loop.Run(context.Background())) }()
	defer func() { check(loop.Shutdown(context.Background())) }()

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
	go func() { check(loop.Run(context.Background())) }()

	check(loop.Do(context.Background(), func() {})) // by now it runs
	check(loop.Submit(func() { fmt.Println("accepted") }))
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
	check(loop.Submit(func() {
		check(loop.Close())
		fmt.Println("the last callback")
	}))
	check(loop.Submit(func() { fmt.Println("dropped") }))
	schedule(loop.ScheduleTimer(time.Hour, func() { fmt.Println("dropped") }))

	err := loop.Run(context.Background())
	fmt.Println(err)

	d := loop.Dropped()
	fmt.Println(d.External, d.Timers)
	// Output:
	// the last callback
	// eventloop: loop closed, dropping 1 accepted callbacks and 1 pending timers
	// 1 1
}

func ExampleLoop_Dropped() {
	loop := eventloop.New()
	check(loop.Submit(func() {}))
	check(loop.ScheduleMicrotask(func() {}))
	check(loop.Close())
	<-loop.Done()
	d := loop.Dropped()
	fmt.Println(d.External, d.Microtasks, d.Callbacks())
	// Output: 1 1 2
}

func ExampleLoop_ScheduleTimer() {
	loop := eventloop.New(eventloop.WithAutoExit())
	schedule(loop.ScheduleTimer(20*time.Millisecond, func() { fmt.Println("later") }))
	schedule(loop.ScheduleTimer(10*time.Millisecond, func() { fmt.Println("sooner") }))
	cancelled := schedule(loop.ScheduleTimer(15*time.Millisecond, func() { fmt.Println("never") }))
	fmt.Println(loop.CancelTimer(cancelled))
	check(loop.Run(context.Background()))
	// Output:
	// true
	// sooner
	// later
}

func ExampleLoop_CancelTimers() {
	loop := eventloop.New(eventloop.WithAutoExit())
	var timers []eventloop.Timer
	for range 3 {
		timer := schedule(loop.ScheduleTimer(time.Hour, func() { fmt.Println("never") }))
		timers = append(timers, timer)
	}
	fmt.Println(loop.CancelTimers(timers...))
	check(loop.Run(context.Background())) // nothing is left to wait for
	// Output: 3
}

// A timer can be stopped and armed again, from any goroutine, its own callback included.
func ExampleTimer() {
	loop := eventloop.New(eventloop.WithAutoExit())
	var timer eventloop.Timer
	attempts := 0
	timer = loop.NewTimer(func() { // it is not armed yet, so the callback cannot run before the assignment
		if attempts++; attempts < 3 {
			check(timer.Reset(time.Duration(attempts) * time.Millisecond))
		}
	})
	check(timer.Reset(time.Millisecond))
	check(loop.Run(context.Background()))
	fmt.Println(attempts, timer.Stop())
	// Output: 3 false
}

// A timer that only keeps house should not keep the program running.
func ExampleTimer_Unref() {
	loop := eventloop.New(eventloop.WithAutoExit())
	sweep := schedule(loop.ScheduleRepeating(time.Hour, func() {}))
	sweep.Unref()
	check(loop.Submit(func() { fmt.Println("work") }))
	check(loop.Run(context.Background()))
	fmt.Println("done")
	// Output:
	// work
	// done
}

func ExampleLoop_ScheduleRepeating() {
	loop := eventloop.New(eventloop.WithAutoExit())
	ticks := 0
	_, err := loop.ScheduleRepeating(time.Millisecond, func() {
		if ticks++; ticks == 3 {
			fmt.Println(ticks)
			check(loop.Close())
		}
	})
	check(err)
	fmt.Println(errors.Is(loop.Run(context.Background()), eventloop.ErrLoopClosed))
	// Output:
	// 3
	// true
}

// A repeating timer whose callback stops it: the handle is there before the timer is armed.
func ExampleLoop_NewTicker() {
	loop := eventloop.New(eventloop.WithAutoExit())
	ticks := 0
	var ticker eventloop.Timer
	ticker = loop.NewTicker(eventloop.SkipMissed, func() {
		if ticks++; ticks == 3 {
			ticker.Stop()
		}
	})
	check(ticker.Reset(time.Millisecond))
	check(loop.Run(context.Background()))
	fmt.Println(ticks)
	// Output: 3
}

// A producer that is faster than the loop learns it.
func ExampleWithQueueLimit() {
	loop := eventloop.New(eventloop.WithAutoExit(), eventloop.WithQueueLimit(2))
	for i := range 3 {
		err := loop.Submit(func() { fmt.Println("task", i) })
		if errors.Is(err, eventloop.ErrQueueFull) {
			fmt.Println("no room for task", i)
			continue
		}
		check(err)
	}
	check(loop.Run(context.Background()))
	// Output:
	// no room for task 2
	// task 0
	// task 1
}

// A reference keeps the loop open while work is in flight elsewhere.
func ExampleLoop_KeepAlive() {
	loop := eventloop.New(eventloop.WithAutoExit())
	check(loop.Submit(func() {
		release, err := loop.KeepAlive()
		check(err)
		go func() {
			defer release()
			result := 6 * 7 // slow work, away from the loop
			check(loop.Submit(func() { fmt.Println(result) }))
		}()
	}))
	check(loop.Run(context.Background()))
	// Output: 42
}

func ExampleWithPanicHandler() {
	loop := eventloop.New(eventloop.WithAutoExit(), eventloop.WithPanicHandler(func(e *eventloop.PanicError) {
		fmt.Println("handled:", e.Value)
	}))
	check(loop.Submit(func() { panic("oops") }))
	check(loop.Submit(func() { fmt.Println("the loop goes on") }))
	check(loop.Run(context.Background()))
	// Output:
	// handled: oops
	// the loop goes on
}
