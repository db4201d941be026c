module github.com/eventloop-go/eventloop/examples/cookbook

go 1.25.0

require (
	github.com/eventloop-go/eventloop v0.1.0
	golang.org/x/sync v0.17.0
	golang.org/x/time v0.13.0
)

require golang.org/x/sys v0.36.0 // indirect
