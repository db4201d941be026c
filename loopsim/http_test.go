package loopsim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/promise"
)

// browsing is a world with a server of HTTP. It calls note with the outcome of each request.
func browsing(note func(format string, args ...any)) func(*World) {
	return func(w *World) {
		w.Host("server", func(h *Host) {
			mux := http.NewServeMux()
			mux.HandleFunc("POST /echo", func(rw http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				h.Spend(10 * time.Millisecond)
				rw.WriteHeader(http.StatusAccepted)
				fmt.Fprintf(rw, "%d %s", r.ContentLength, body)
			})
			mux.HandleFunc("/slow", func(http.ResponseWriter, *http.Request) { h.Spend(time.Hour) })
			mux.HandleFunc("/away", func(rw http.ResponseWriter, r *http.Request) { http.Redirect(rw, r, "/missing", http.StatusFound) })
			if err := h.ServeHTTP(80, mux); err != nil {
				w.Failf("%v", err)
			}
		})
		w.Host("client", func(h *Host) {
			client := http.Client{Transport: h.Network()}
			do := func(ctx context.Context, method, url string, body io.Reader) {
				r, err := http.NewRequestWithContext(ctx, method, url, body)
				if err != nil {
					note("%v", err)
					return
				}
				resp, err := client.Do(r)
				if err != nil {
					note("cancelled: %v, refused: %v", errors.Is(err, context.Canceled), strings.Contains(err.Error(), "refused"))
					return
				}
				text, err := io.ReadAll(resp.Body)
				_ = resp.Body.Close()
				note("%s %q %v %s", resp.Status, text, err, resp.Header.Get("Content-Type"))
			}
			try(h, func() {
				do(context.Background(), "POST", "http://server/echo", strings.NewReader("a body"))
				do(context.Background(), "POST", "http://server/echo", io.MultiReader(strings.NewReader("without "), strings.NewReader("a length")))
				do(context.Background(), "GET", "http://server/away", nil)
				do(context.Background(), "GET", "http://server:81/", nil)
				promise.WithTimeout(context.Background(), h.Loop(), time.Second, func(ctx context.Context) *promise.Promise[int] {
					return promise.Promisify(ctx, h.Loop(), func(ctx context.Context) (int, error) {
						do(ctx, "GET", "http://server/slow", nil)
						return 0, nil
					})
				}).Catch(func(error) (int, error) { note("it took %v", h.Uptime().Round(time.Second)); return 0, nil })
			})
		})
	}
}

func TestHTTPRunsInTheWorld(t *testing.T) {
	var log []string
	w := one(t, 1, Config{}, browsing(func(format string, args ...any) { log = append(log, fmt.Sprintf(format, args...)) }))
	holds(t, w)
	slices.Sort(log[len(log)-2:])
	want := []string{
		`202 Accepted "6 a body" <nil> text/plain; charset=utf-8`,
		`202 Accepted "16 without a length" <nil> text/plain; charset=utf-8`,
		`404 Not Found "404 page not found\n" <nil> text/plain; charset=utf-8`,
		"cancelled: false, refused: true",
		"cancelled: true, refused: false",
		"it took 1s",
	}
	if got := strings.Join(log, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

func TestHTTPIsDeterministicWithFaults(t *testing.T) {
	nothing := func(string, ...any) {}
	for seed := range uint64(20) {
		a, b := one(t, seed, faulty(), browsing(nothing)), one(t, seed, faulty(), browsing(nothing))
		holds(t, a)
		if a.hash != b.hash {
			t.Fatalf("seed %d: %s", seed, firstDifference(a.trace(), b.trace()))
		}
	}
}
