// Package loopnet has stream connections whose callbacks run on an event loop: a [Listener] that accepts, a [Conn] with
// buffered writes and back-pressure, framing by line and by length, time-outs, connections closed in one direction.
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
// On Linux, macOS and the BSDs a connection is a descriptor that is registered with the loop, and costs neither goroutine
// nor buffer while it is idle. Elsewhere it is a [net.Conn] with two goroutines.
//
// The methods of a Conn are for callbacks of its loop, as those of [eventloop.Owner] are: from elsewhere they are data
// races. Use [eventloop.Loop.Submit]. [Listen], [Dial] and the methods of a Listener may be called from any goroutine.
package loopnet
