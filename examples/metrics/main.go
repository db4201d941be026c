// Command metrics gives a loop's metrics to Prometheus, at /metrics, to expvar, at /debug/vars, and to OpenTelemetry, if a
// provider is set: metrics [ADDRESS].
package main

import (
	"cmp"
	"context"
	"expvar"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/otelloop"
	"github.com/eventloop-go/eventloop/promloop"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	address := cmp.Or(append(os.Args, "")[1], "127.0.0.1:7799")
	if err := serve(ctx, address, func(url string) { fmt.Println("scrape", url) }); ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve runs until ctx ends. It calls started with the address that it listens on.
func serve(ctx context.Context, address string, started func(url string)) error {
	loop := eventloop.New(eventloop.WithName("orders"), inspect.WithMetrics())
	if _, err := loop.ScheduleRepeating(10*time.Millisecond, func() {}); err != nil {
		return err
	}

	registry := prometheus.NewRegistry()
	registry.MustRegister(promloop.New(loop))

	instruments, err := otelloop.New(otel.GetMeterProvider(), loop)
	if err != nil {
		return err
	}
	defer func() { _ = instruments.Close() }()

	vars := expvar.Func(func() any { return inspect.ReadMetrics(loop) })

	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("/debug/vars", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, vars) })

	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	started("http://" + listener.Addr().String() + "/metrics")
	err = loop.Run(ctx)
	_ = server.Close()
	<-served
	return err
}
