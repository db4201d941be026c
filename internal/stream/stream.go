// Package stream is how a connection that calls back on its loop takes part in package loopnet: without a descriptor and without a
// goroutine. Package loopsim has such connections.
package stream

import "net"

// A Conn is a connection on a loop. All methods but those of net.Conn, and all calls of its [Events], are made on the loop.
type Conn interface {
	net.Conn

	// Attach sets whom the connection calls. It calls nobody before Receive.
	Attach(Events)

	// Receive says whether Received and Ended may be called. The calls come later, not inside Receive.
	Receive(on bool)

	// Send takes as much of p as it has room for. If that is not all, it calls Writable when there is room.
	Send(p []byte) (n int, err error)

	// CloseWrite closes our direction when all has been sent.
	CloseWrite() error
}

// Events are the calls of a [Conn].
type Events interface {
	// Received delivers data. False says that nobody takes it now: it is delivered again after the next Receive(true).
	Received(p []byte) bool

	Ended()       // the other side has closed its direction
	Writable()    // there is room again
	Failed(error) // the connection has failed
}

// A Listener calls a function on the loop for each connection, instead of returning it from Accept.
type Listener interface {
	net.Listener
	OnAccept(func(net.Conn))
}
