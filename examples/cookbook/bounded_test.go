package cookbook

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/eventloop-go/eventloop"
)

func Example_bounded() {
	loop := eventloop.New(eventloop.WithQueueLimit(2))
	orders := 0 // the loop's
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := loop.Submit(func() { orders++ })
		switch {
		case errors.Is(err, eventloop.ErrQueueFull):
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
		case err != nil:
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			w.WriteHeader(http.StatusAccepted)
		}
	})

	for range 3 { // nobody runs the loop yet: the third finds the queue full
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("POST", "/order", nil))
		fmt.Println(w.Code)
	}
	go func() { check(loop.Run(context.Background())) }()
	check(loop.Shutdown(context.Background()))
	fmt.Println("orders", orders)
	// Output:
	// 202
	// 202
	// 429
	// orders 2
}
