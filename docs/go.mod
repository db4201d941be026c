module github.com/eventloop-go/eventloop/docs

go 1.25.0
