package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop/examples/programs/pipeline/loop"
	"github.com/eventloop-go/eventloop/examples/programs/pipeline/plain"
)

type pipeline func(ctx context.Context, client *http.Client, list string, parallel int, limit time.Duration) ([]int, error)

var pipelines = map[string]pipeline{"plain": plain.Words, "loop": loop.Words}

// A transport answers requests itself, on virtual time.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func answer(status int, text string) (*http.Response, error) {
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Body: io.NopCloser(strings.NewReader(text))}, nil
}

func each(t *testing.T, test func(t *testing.T, words pipeline)) {
	for name, words := range pipelines {
		t.Run(name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { test(t, words) }) })
	}
}

func TestPagesAreCountedInTheOrderOfTheListSoManyAtATime(t *testing.T) {
	each(t, func(t *testing.T, words pipeline) {
		var running, most, calls atomic.Int32
		client := &http.Client{Transport: transport(func(req *http.Request) (*http.Response, error) {
			if req.URL.Path == "/list" {
				if calls.Add(1) < 3 {
					return answer(http.StatusServiceUnavailable, "")
				}
				return answer(http.StatusOK, "http://x/5 http://x/1 http://x/3 http://x/0")
			}
			most.Store(max(most.Load(), running.Add(1)))
			defer running.Add(-1)
			time.Sleep(time.Second)
			return answer(http.StatusOK, strings.Repeat("word ", int(req.URL.Path[1]-'0')))
		})}
		begin := time.Now()
		got, err := words(t.Context(), client, "http://x/list", 2, 10*time.Second)
		if err != nil || !slices.Equal(got, []int{5, 1, 3, 0}) || most.Load() != 2 || time.Since(begin) != 5*time.Second {
			t.Error(got, err, most.Load(), time.Since(begin))
		}
	})
}

func TestARequestThatHangsIsGivenUpAfterThreeTimes(t *testing.T) {
	each(t, func(t *testing.T, words pipeline) {
		client := &http.Client{Transport: transport(func(req *http.Request) (*http.Response, error) {
			<-req.Context().Done()
			return nil, req.Context().Err()
		})}
		begin := time.Now()
		_, err := words(t.Context(), client, "http://x/list", 2, 10*time.Second)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != 33*time.Second {
			t.Error(err, time.Since(begin))
		}
		synctest.Wait()
	})
}

func TestTheEndOfTheContextEndsThePipeline(t *testing.T) {
	each(t, func(t *testing.T, words pipeline) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		client := &http.Client{Transport: transport(func(req *http.Request) (*http.Response, error) {
			<-req.Context().Done()
			return nil, req.Context().Err()
		})}
		begin := time.Now()
		_, err := words(ctx, client, "http://x/list", 2, time.Hour)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != time.Second {
			t.Error(err, time.Since(begin))
		}
		synctest.Wait()
	})
}

func site() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/list" {
			fmt.Fprint(w, "three little words")
			return
		}
		for i := range 20 {
			fmt.Fprintf(w, "http://%s/%d\n", r.Host, i)
		}
	}))
}

func TestNodeHasTheSameResult(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not on the PATH")
	}
	server := site()
	defer server.Close()
	out, err := exec.Command(node, "pipeline.js", server.URL+"/list", "4", "10000").Output()
	if want := "[" + strings.Repeat("3,", 19) + "3]\n"; err != nil || string(out) != want {
		t.Errorf("%s, %v", out, err)
	}
}

// A list of 20 pages, four at a time.
func BenchmarkPipeline(b *testing.B) {
	server := site()
	defer server.Close()
	for name, words := range pipelines {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if got, err := words(b.Context(), server.Client(), server.URL+"/list", 4, time.Minute); err != nil || len(got) != 20 {
					b.Fatal(got, err)
				}
			}
		})
	}
}
