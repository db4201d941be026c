module github.com/eventloop-go/eventloop/loopsim

go 1.25.0

require (
	github.com/anishathalye/porcupine v1.3.1
	github.com/eventloop-go/eventloop v0.1.0
)

require golang.org/x/sys v0.36.0 // indirect
