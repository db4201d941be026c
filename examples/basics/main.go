// Command basics uses the three packages of the root module: the loop, promises, and JavaScript's timers without an
// engine.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/js"
	"github.com/eventloop-go/eventloop/promise"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	loop := eventloop.New(eventloop.WithAutoExit())
	total := 0 // only callbacks touch it: no lock
	if err := loop.Submit(func() { total++ }); err != nil {
		return err
	}
	text := promise.Promisify(ctx, loop, func(context.Context) (string, error) {
		return "41", nil // may block: this is another goroutine
	})
	promise.Then(promise.Then(text, strconv.Atoi), func(n int) (int, error) {
		total += n
		fmt.Println("add", n)
		_, err := js.New(loop).SetTimeout(func() { fmt.Println("ten milliseconds later", total) }, 10)
		return n, err
	})
	return loop.Run(ctx)
}
