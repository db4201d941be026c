package loopview

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/promise"
)

// Viewers come and go, and loops panic, reject, and end in every way, all at once. Every loop ends, and every task that was
// accepted before a graceful end has run.
func TestAStormOfViewersHoldsUpNoEnd(t *testing.T) {
	v := New()
	server := httptest.NewServer(v)
	defer server.Close()
	over := make(chan struct{})
	var viewers, loops sync.WaitGroup
	for i := range 10 {
		viewers.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-over:
					return
				default:
				}
				ctx, cancel := context.WithCancel(t.Context())
				r, _ := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/state?since=%d", server.URL, n%3), nil)
				if n%2 == i%2 {
					go cancel() // it leaves whenever
				}
				if answer, err := server.Client().Do(r); err == nil {
					_, _ = io.Copy(io.Discard, answer.Body)
					answer.Body.Close()
				}
				cancel()
				if n%50 == 0 { // the lease of all viewers ends
					locked(v, func() { v.until = v.boot })
				}
			}
		})
	}
	for i := range 40 {
		loops.Go(func() {
			l := eventloop.New(inspect.WithMetrics(), eventloop.WithName("<b>&\"'\x00\xff"), eventloop.WithPanicHandler(func(*eventloop.PanicError) {}),
				promise.WithUnhandledRejection(func(*promise.Rejection) { v.reports.add(inspect.SlowCallback{}, true) }))
			v.Add(l)
			go func() { _ = l.Run(context.Background()) }()
			accepted, ran := 0, 0
			for n := range 300 {
				if l.Submit(func() {
					ran++
					switch n % 100 {
					case 7:
						panic("expected")
					case 11:
						promise.Reject[int](l, errors.New("expected"))
					case 13:
						if i%4 == 0 {
							runtime.Goexit()
						}
					}
				}) == nil {
					accepted++
				}
			}
			if i%2 == 0 {
				_ = l.Shutdown(t.Context())
			} else {
				_ = l.Close()
			}
			<-l.Done()
			if i%2 == 0 && ran != accepted {
				t.Errorf("%d tasks ran of %d", ran, accepted)
			}
		})
	}
	loops.Wait()
	close(over)
	viewers.Wait()
	if s := asked(t, v, 0); len(s.Loops) != maxLoops {
		t.Errorf("%d loops", len(s.Loops))
	}
}
