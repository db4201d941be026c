// Package loopnet has stream connections whose callbacks run on an event loop. It has a [Listener] that accepts, and
// a [Conn] with buffered writes and back-pressure, framing by line and by length, time-outs, and connections closed
// in one direction. All writes of a turn of the loop leave together, and a shutdown sends them before it closes.
//
//	listener, err := loopnet.Listen(loop, "tcp", "127.0.0.1:7", func(c *loopnet.Conn) {
//		c.OnData(func(p []byte) {
//			if !c.Write(p) {
//				c.Pause()
//			}
//		})
//		c.OnDrain(c.Resume)
//	})
//
// On Linux, macOS and the BSDs a connection is a descriptor that is registered with the loop. While idle, it costs no
// goroutine and no buffer. With TLS this is so after the handshake, if [ServeTLS] has accepted the connection or
// [DialWith] has dialled it with a [crypto/tls.Dialer]. Elsewhere, and for any other [net.Conn], a connection has two
// goroutines.
//
// The methods of a Conn are for callbacks of its loop, as most hooks of package adapter are: from elsewhere they are data
// races. Use [eventloop.Loop.Submit]. [Listen], [Dial] and the methods of a Listener may be called from any goroutine.
package loopnet
