package pubsub_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/examples/programs/pubsub/loop"
	"github.com/eventloop-go/eventloop/examples/programs/pubsub/plain"
)

type server interface {
	http.Handler
	Topics() int
}

var servers = map[string]func(testing.TB) server{
	"plain": func(testing.TB) server { return plain.New() },
	"loop": func(t testing.TB) server {
		l := eventloop.New()
		go func() { _ = l.Run(context.Background()) }()
		t.Cleanup(func() {
			if err := l.Shutdown(context.Background()); err != nil {
				t.Error(err)
			}
		})
		return loop.New(l)
	},
}

func publish(t testing.TB, client *http.Client, url, text string) {
	t.Helper()
	res, err := client.Post(url, "text/plain", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, res.Body)
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Fatal(res.Status)
	}
}

type subscription struct {
	t    testing.TB
	in   *bufio.Scanner
	stop func()
}

func subscribe(t testing.TB, client *http.Client, url string) *subscription {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	s := &subscription{t, bufio.NewScanner(res.Body), func() { cancel(); _ = res.Body.Close() }}
	t.Cleanup(s.stop)
	return s
}

func (s *subscription) gets(want ...string) {
	s.t.Helper()
	for _, want := range want {
		for {
			if !s.in.Scan() {
				s.t.Fatal("the stream has ended:", s.in.Err())
			}
			if s.in.Text() != "" {
				break
			}
		}
		if s.in.Text() != "data: "+want {
			s.t.Fatalf("got %q, want %q", s.in.Text(), want)
		}
	}
}

func TestSubscribersGetTheMessagesOfTheirTopicAndTheLastBefore(t *testing.T) {
	test := func(t *testing.T, client *http.Client, url string) {
		publish(t, client, url+"/news", "early")
		a := subscribe(t, client, url+"/news")
		a.gets("early")
		b, other := subscribe(t, client, url+"/news"), subscribe(t, client, url+"/other")
		publish(t, client, url+"/news", "hello")
		publish(t, client, url+"/other", "unrelated")
		a.gets("hello")
		b.gets("early", "hello")
		other.gets("unrelated")
		b.stop()
		publish(t, client, url+"/news", "again")
		a.gets("again")
	}
	for name, newServer := range servers {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(newServer(t))
			t.Cleanup(s.Close) // after the subscriptions have been stopped
			test(t, s.Client(), s.URL)
		})
	}
	t.Run("node", func(t *testing.T) {
		node, err := exec.LookPath("node")
		if err != nil || runtime.GOOS == "windows" {
			t.Skip("node is not on the PATH, or has no signals")
		}
		cmd := exec.Command(node, "pubsub.js")
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		port, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		test(t, http.DefaultClient, "http://127.0.0.1:"+strings.TrimSpace(port))
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
}

func TestATopicIsForgottenAnHourAfterItWasUsed(t *testing.T) {
	for name, newServer := range servers {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newServer(t)
				expect := func(want int) {
					t.Helper()
					synctest.Wait()
					if got := s.Topics(); got != want {
						t.Errorf("%d topics, want %d", got, want)
					}
				}
				use := func(ctx context.Context, method string) {
					req := httptest.NewRequestWithContext(ctx, method, "/topic", strings.NewReader("text"))
					s.ServeHTTP(httptest.NewRecorder(), req)
				}
				use(t.Context(), "POST")
				time.Sleep(59 * time.Minute)
				use(t.Context(), "POST")
				time.Sleep(59 * time.Minute)
				expect(1)
				listening, stop := context.WithTimeout(t.Context(), 10*time.Hour)
				defer stop()
				go use(listening, "GET")
				time.Sleep(10*time.Hour + 59*time.Minute)
				expect(1)
				time.Sleep(time.Minute)
				expect(0)
			})
		})
	}
}

// One message to ten subscribers.
func BenchmarkPubSub(b *testing.B) {
	for name, newServer := range servers {
		b.Run(name, func(b *testing.B) {
			s := httptest.NewServer(newServer(b))
			b.Cleanup(s.Close)
			var all []*subscription
			for range 10 {
				all = append(all, subscribe(b, s.Client(), s.URL+"/topic"))
			}
			for b.Loop() {
				publish(b, s.Client(), s.URL+"/topic", "hello")
				for _, one := range all {
					one.gets("hello")
				}
			}
		})
	}
}
