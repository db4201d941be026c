package adapter_test

import (
	"context"
	"fmt"
	"log"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
)

// A greeting is a microtask that needs no closure.
type greeting struct{ name string }

func (g *greeting) Run() { fmt.Println("hello,", g.name) }

func ExampleHooks_EnqueueJob() {
	loop := eventloop.New(eventloop.WithAutoExit())
	check(adapter.Of(loop).EnqueueJob(&greeting{"microtask"}))
	check(loop.Run(context.Background()))
	// Output: hello, microtask
}

func ExampleHooks() {
	loop := eventloop.New(eventloop.WithAutoExit())
	hooks := adapter.Of(loop)
	check(loop.Submit(func() {
		hooks.Afterward(&greeting{"end of the checkpoint"})
		hooks.Enqueue(&greeting{"microtask"})
	}))
	check(loop.Run(context.Background()))
	// Output:
	// hello, microtask
	// hello, end of the checkpoint
}

// Code that runs on the loop can schedule without its lock.
func ExampleHooks_ScheduleTimer() {
	loop := eventloop.New(eventloop.WithAutoExit())
	check(loop.Submit(func() {
		_, err := adapter.Of(loop).ScheduleTimer(0, func() { fmt.Println("timer") })
		check(err)
	}))
	check(loop.Run(context.Background()))
	// Output: timer
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
