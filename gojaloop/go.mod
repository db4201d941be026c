module github.com/eventloop-go/eventloop/gojaloop

go 1.25.0
