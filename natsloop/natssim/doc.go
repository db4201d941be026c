// Package natssim is a NATS server in a world of package loopsim. Handlers of package natsloop are tested there with redelivery, crashes and
// partitions, and each failure is repeated from its seed.
//
//	loopsim.Run(t, cfg, func(w *loopsim.World) {
//		server := natssim.NewServer(w, "nats", jetstream.ConsumerConfig{AckWait: 5 * time.Second})
//		w.Host("worker", func(h *loopsim.Host) {
//			natssim.Consume(natssim.Connect(h, server), handle)
//		})
//	})
//
// The server has one stream and one durable pull consumer with explicit acknowledgement. Handlers run in the code of natsloop.Consume, with
// its order and its options. The same tests hold for this package and for a real server. They check these promises:
//
//   - Messages of a key are handled one after the other, and for the first time in the order of the stream.
//   - A message is delivered until it is acknowledged or terminated: after its promise has rejected, at once or after the delay,
//     and after AckWait if nothing is heard of it.
//   - It is not delivered again before.
//   - A message with a Nats-Msg-Id that the stream has already is not stored again.
//
// Published messages survive crashes of the server. Consumers may be on any number of hosts, which share the
// messages. Not simulated are partitions of natsloop.ConsumePartitions, several streams, limits of streams, and jetstream.Msg.DoubleAck.
package natssim
