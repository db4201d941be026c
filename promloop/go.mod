module github.com/eventloop-go/eventloop/promloop

go 1.25.0

require (
	github.com/eventloop-go/eventloop v0.1.0
	github.com/prometheus/client_golang v1.23.2
)
