package promloop

import (
	"context"
	"encoding/json"
	"io"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/client_golang/prometheus/testutil"
)

// running makes a loop that has run so many tasks, and a timer.
func running(t *testing.T, name string, tasks int, opts ...eventloop.Option) *eventloop.Loop {
	t.Helper()
	l := eventloop.New(append(opts, eventloop.WithName(name))...)
	go func() { _ = l.Run(context.Background()) }()
	t.Cleanup(func() { end(l) })
	fired := make(chan struct{})
	if _, err := l.ScheduleTimer(0, func() { close(fired) }); err != nil {
		t.Fatal(err)
	}
	<-fired
	for range tasks {
		if err := l.Submit(func() { _ = l.ScheduleMicrotask(func() {}) }); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func end(l *eventloop.Loop) {
	_ = l.Shutdown(context.Background())
	<-l.Done()
}

// scraped returns the text that Prometheus would get.
func scraped(t *testing.T, c prometheus.Collector) string {
	t.Helper()
	r := prometheus.NewPedanticRegistry()
	if err := r.Register(c); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(promhttp.HandlerFor(r, promhttp.HandlerOpts{}))
	defer server.Close()
	answer, err := server.Client().Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != 200 {
		t.Fatal(answer.Status, err, string(b))
	}
	return string(b)
}

func expect(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("no line %s in\n%s", line, text)
		}
	}
}

func TestAScrapeHasWhatTheLoopsHaveDone(t *testing.T) {
	orders := running(t, "orders", 100, inspect.WithMetrics())
	end(orders)
	c := New(orders, running(t, "", 0, inspect.WithMetrics()), nil, running(t, "unmeasured", 1))
	text := scraped(t, c)
	expect(t, text,
		`eventloop_loops{loop="orders"} 0`,
		`eventloop_loops{loop=""} 1`,
		`eventloop_callbacks_total{lane="external",loop="orders"} 100`,
		`eventloop_callbacks_total{lane="timers",loop="orders"} 1`,
		`eventloop_callbacks_total{lane="io",loop="orders"} 0`,
		`eventloop_jobs_total{loop="orders"} 100`,
		`eventloop_queued{lane="external",loop="orders"} 0`,
		`eventloop_timers_armed{loop="orders"} 0`,
		`eventloop_run_time_seconds_count{loop="orders"} 101`,
		`eventloop_run_time_seconds_bucket{loop="orders",le="+Inf"} 101`,
		`eventloop_timer_lateness_seconds_count{loop="orders"} 1`,
		`# TYPE eventloop_queue_delay_seconds histogram`,
	)
	if strings.Contains(text, "unmeasured") {
		t.Error("a loop without metrics has some")
	}
}

func TestLoopsOfANameAreAddedUpAndCountersNeverFall(t *testing.T) {
	a, b := running(t, "x", 10, inspect.WithMetrics()), running(t, "x", 20, inspect.WithMetrics())
	c := New(a, b)
	c.Add(a)
	end(a)
	for range 2 {
		scraped(t, c)
	}
	end(b)
	for range 3 {
		expect(t, scraped(t, c), `eventloop_callbacks_total{lane="external",loop="x"} 30`, `eventloop_loops{loop="x"} 0`, `eventloop_run_time_seconds_count{loop="x"} 32`)
	}
	if len(c.loops) != 0 {
		t.Error("loops that have ended are kept")
	}
}

func TestACallbackThatDoesNotReturnShows(t *testing.T) {
	l := running(t, "x", 0, inspect.WithMetrics())
	began, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	_ = l.Submit(func() { close(began); <-release })
	<-began
	_ = l.Submit(func() {})
	text := scraped(t, New(l))
	expect(t, text, `eventloop_queued{lane="external",loop="x"} 2`)
	if strings.Contains(text, `eventloop_running_seconds{loop="x"} 0`+"\n") {
		t.Error(text)
	}
}

func TestNamesFollowTheRulesOfPrometheus(t *testing.T) {
	problems, err := testutil.CollectAndLint(New(running(t, "x", 1, inspect.WithMetrics())))
	if err != nil || len(problems) > 0 {
		t.Error(err, problems)
	}
}

func TestAHostileNameIsALabel(t *testing.T) {
	text := scraped(t, New(running(t, "a\"\n}\\\xff{", 1, inspect.WithMetrics())))
	expect(t, text, `eventloop_loops{loop="a\"\n}\\�{"} 1`)
}

func TestScrapesMayComeAtOnceWhileLoopsEnd(t *testing.T) {
	c := New()
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 20 {
				l := running(t, "x", 10, inspect.WithMetrics())
				c.Add(l)
				if _, err := testutil.CollectAndLint(c); err != nil {
					t.Error(err)
				}
				end(l)
			}
		})
	}
	wait.Wait()
	expect(t, scraped(t, c), `eventloop_callbacks_total{lane="external",loop="x"} 1600`)
}

func TestTheDashboardUsesMetricsThatExist(t *testing.T) {
	b, err := os.ReadFile("dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(b, &dashboard); err != nil {
		t.Fatal(err)
	}
	text := scraped(t, New(running(t, "x", 1, inspect.WithMetrics())))
	exists := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^(eventloop_\w+){(.*)} `).FindAllStringSubmatch(text, -1) {
		exists[m[1]] = true
		for _, label := range regexp.MustCompile(`(\w+)=`).FindAllStringSubmatch(m[2], -1) {
			exists[label[1]] = true
		}
	}
	used := map[string]bool{}
	for _, p := range dashboard.Panels {
		if p.Title == "" || len(p.Targets) == 0 {
			t.Errorf("a panel %q has %d queries", p.Title, len(p.Targets))
		}
		for _, q := range p.Targets {
			names := regexp.MustCompile(`eventloop_\w+`).FindAllString(q.Expr, -1)
			for _, by := range regexp.MustCompile(`by \(([^)]*)\)`).FindAllStringSubmatch(q.Expr, -1) {
				names = append(names, strings.Split(by[1], ", ")...)
			}
			if len(names) == 0 {
				t.Errorf("%s: no metric in %q", p.Title, q.Expr)
			}
			for _, name := range names {
				used[name] = true
				if !exists[name] {
					t.Errorf("%s: there is no %s", p.Title, name)
				}
			}
		}
	}
	for name := range exists {
		base := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, "_bucket"), "_sum"), "_count")
		if strings.HasPrefix(name, "eventloop_") && !used[name] && !used[base+"_bucket"] {
			t.Errorf("no panel shows %s", name)
		}
	}
}

func TestBucketsAreInOrder(t *testing.T) {
	last := time.Duration(0)
	for _, b := range bounds {
		if b <= last {
			t.Errorf("%v after %v", b, last)
		}
		last = b
	}
}
