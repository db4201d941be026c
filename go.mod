module github.com/eventloop-go/eventloop

go 1.25.0
