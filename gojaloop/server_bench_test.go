package gojaloop_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// clients is how many requests there are at a time.
const clients = 100

// BenchmarkServer has requests to a server that asks another server for its answer: a handler in Go, a script's
// with one runtime or with a pool, a script's with Node's module http, and Node. The clients, the other server, and all but Node are in one
// process. One operation is a request. heap is what is in use after the first tenth of the requests and at the end.
func BenchmarkServer(b *testing.B) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "from behind") }))
	defer up.Close()
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	script := fmt.Sprintf(`const server = { fetch: async () => new Response(await (await fetch(%q)).text()) }`, up.URL)
	nodes := fmt.Sprintf(`const s = require('http').createServer(async (q, r) => r.end(await (await fetch(%q)).text())).listen(0, '127.0.0.1', () => console.log(s.address().port))`, up.URL)

	b.Run("Go", func(b *testing.B) {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			resp, err := client.Get(up.URL)
			if err != nil {
				http.Error(w, "", http.StatusBadGateway)
				return
			}
			defer resp.Body.Close()
			_, _ = io.Copy(w, resp.Body)
		}))
		defer s.Close()
		load(b, s.URL)
	})
	b.Run("Runtime", func(b *testing.B) {
		rt, stop := started(gojaloop.WithFetch(client))
		defer stop()
		if _, err := rt.Eval(b.Context(), script+"; 0"); err != nil {
			b.Fatal(err)
		}
		s := httptest.NewServer(rt.Handler("server.fetch", gojaloop.HandlerConfig{Timeout: time.Minute}))
		defer s.Close()
		load(b, s.URL)
	})
	b.Run("Pool", func(b *testing.B) {
		pool, err := gojaloop.NewPool(b.Context(), gojaloop.PoolConfig{Program: gojaloop.MustCompile("server.js", script), Size: clients, MaxUses: 1000, Options: []gojaloop.Option{gojaloop.WithFetch(client)}})
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = pool.Shutdown(context.Background()) }()
		s := httptest.NewServer(pool.Handler("server.fetch", gojaloop.HandlerConfig{Timeout: time.Minute}))
		defer s.Close()
		load(b, s.URL)
	})
	b.Run("NodesModule", func(b *testing.B) {
		listening := make(chan string, 1)
		listen := func(ctx context.Context, network, address string) (net.Listener, error) {
			l, err := new(net.ListenConfig).Listen(ctx, network, address)
			if err == nil {
				listening <- "http://" + l.Addr().String()
			}
			return l, err
		}
		rt, stop := started(gojaloop.WithModules(nil), gojaloop.WithFetch(client), gojaloop.WithListen(listen, gojaloop.HandlerConfig{}), gojaloop.WithOutput(io.Discard, io.Discard))
		defer stop()
		if err := rt.Do(b.Context(), func(vm *goja.Runtime) error { _, err := vm.RunString(nodes); return err }); err != nil {
			b.Fatal(err)
		}
		load(b, <-listening)
	})
	b.Run("Node", func(b *testing.B) {
		cmd := exec.CommandContext(b.Context(), "node", "-e", nodes)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			b.Skip("there is no node: ", err)
		}
		port, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			b.Fatal(err)
		}
		load(b, "http://127.0.0.1:"+strings.TrimSpace(port))
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
}

// load makes the requests, and reports the rate, the 99th percentile of their times, and the heap.
func load(b *testing.B, url string) {
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	took := make([]time.Duration, b.N)
	var next atomic.Int64
	var wait sync.WaitGroup
	requests := func(n int) {
		for range clients {
			wait.Go(func() {
				for {
					i := int(next.Add(1)) - 1
					if i >= n {
						next.Add(-1)
						return
					}
					began := time.Now()
					resp, err := client.Get(url)
					if err != nil {
						b.Error(err)
						return
					}
					body, err := io.ReadAll(resp.Body)
					_ = resp.Body.Close()
					took[i] = time.Since(began)
					if string(body) != "from behind" || err != nil {
						b.Errorf("%d %s %v", resp.StatusCode, body, err)
						return
					}
				}
			})
		}
		wait.Wait()
	}
	b.ResetTimer()
	requests(b.N / 10)
	b.StopTimer()
	first := heap()
	b.StartTimer()
	requests(b.N)
	b.StopTimer()
	slices.Sort(took)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
	b.ReportMetric(float64(took[len(took)*99/100])/1e6, "p99-ms")
	b.ReportMetric(first, "heap-before-MB")
	b.ReportMetric(heap(), "heap-MB")
}

func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapInuse) / (1 << 20)
}
