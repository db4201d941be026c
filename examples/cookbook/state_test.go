package cookbook

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/eventloop-go/eventloop"
)

func Example_state() {
	loop := eventloop.New()
	go func() { check(loop.Run(context.Background())) }()

	visits := map[string]int{} // only callbacks use it
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := eventloop.Call(r.Context(), loop, func() (int, error) {
			visits[r.URL.Path]++
			return visits[r.URL.Path], nil
		})
		if err != nil { // the client has gone, or the loop is shutting down
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintf(w, "visit %d of %s", n, r.URL.Path)
	})

	for range 2 {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("GET", "/tea", nil))
		fmt.Println(w.Body)
	}
	check(loop.Shutdown(context.Background()))
	// Output:
	// visit 1 of /tea
	// visit 2 of /tea
}
