module github.com/eventloop-go/eventloop/otelloop

go 1.25.0

require (
	github.com/eventloop-go/eventloop v0.1.0
	go.opentelemetry.io/otel v1.38.0
	go.opentelemetry.io/otel/metric v1.38.0
	go.opentelemetry.io/otel/sdk/metric v1.38.0
)
