// Command loopview shows two loops at work: loopview [ADDRESS], then open the page that it names. One of the loops serves
// orders, now and then too slowly; the other computes, and is busy.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/loopview"
	"github.com/eventloop-go/eventloop/promise"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	address := cmp.Or(append(os.Args, "")[1], "127.0.0.1:7788") // for this machine only: a page that tells all is not for others
	if err := serve(ctx, address, func(url string) { fmt.Println("open", url) }); ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve runs until ctx ends. It calls started with the address of the page.
func serve(ctx context.Context, address string, started func(url string)) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	view := loopview.New()
	orders := eventloop.New(
		eventloop.WithName("orders"),
		inspect.WithMetrics(),       // queues, run time and delay
		inspect.WithTraceCreation(), // where callbacks were submitted
		inspect.WithSlowCallbacks(30*time.Millisecond, view.SlowCallback),
		promise.WithUnhandledRejection(view.Rejection),
	)
	compute := eventloop.New(eventloop.WithName("compute"), inspect.WithMetrics())
	view.Add(orders)
	view.Add(compute)

	var running sync.WaitGroup
	for _, loop := range []*eventloop.Loop{orders, compute} {
		running.Go(func() { _ = loop.Run(ctx) })
	}
	running.Go(func() { takeOrders(ctx, orders) })
	running.Go(func() { keepBusy(ctx, compute) })

	server := &http.Server{Handler: view, ReadHeaderTimeout: time.Second}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	started("http://" + listener.Addr().String() + "/")
	err = server.Serve(listener)
	cancel()
	running.Wait()
	return err
}

var errNoStock = errors.New("order 17 cannot be served: nothing in stock")

// takeOrders has some orders served every 25 ms. Of two hundred, one takes long, and one fails.
func takeOrders(ctx context.Context, loop *eventloop.Loop) {
	_, _ = loop.ScheduleTimer(time.Hour, func() {}) // the shop closes
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for n := 0; ; n++ {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		for i := range 5 {
			_ = loop.Submit(func() { serveOrder(loop, 5*n+i) })
		}
		_, _ = loop.ScheduleTimer(10*time.Millisecond, func() { compute(100) })
	}
}

func serveOrder(loop *eventloop.Loop, number int) {
	compute(50 * (number%7 + 1))
	_ = loop.ScheduleMicrotask(func() { compute(20) })
	_ = loop.ScheduleImmediate(func() { compute(30) })
	switch number % 200 {
	case 100:
		writeReport()
	case 17:
		promise.Reject[int](loop, errNoStock)
	}
}

// writeReport is what should not be done on a loop.
func writeReport() { time.Sleep(60 * time.Millisecond) }

// keepBusy hands the loop more than the page can show one by one.
func keepBusy(ctx context.Context, loop *eventloop.Loop) {
	for ctx.Err() == nil {
		for n := range 500 {
			if loop.Submit(func() { compute(n % 9) }) != nil {
				return
			}
		}
		_ = loop.Do(ctx, func() {})
		time.Sleep(time.Millisecond)
	}
}

// compute takes about a microsecond for each n.
func compute(n int) {
	sum := 0
	for i := range n * 1500 {
		sum += i ^ sum
	}
	_ = sum
}
