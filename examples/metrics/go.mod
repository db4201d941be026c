module github.com/eventloop-go/eventloop/examples/metrics

go 1.25.0

require (
	github.com/eventloop-go/eventloop v0.1.0
	github.com/eventloop-go/eventloop/otelloop v0.1.0
	github.com/eventloop-go/eventloop/promloop v0.1.0
	github.com/prometheus/client_golang v1.23.2
	go.opentelemetry.io/otel v1.38.0
)
