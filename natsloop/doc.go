// Package natsloop consumes a stream of NATS JetStream on event loops.
//
//	group := loopgroup.New[string](0)
//	go group.Run(context.Background())
//	err := natsloop.Consume(ctx, consumer, group, func(m jetstream.Msg) *promise.Promise[Receipt] {
//		return store(m.Data())
//	})
//
// Messages of one key, by default of one subject, are handled one after the other: the next begins when the promise of the
// one before is settled. Messages of different keys are handled at the same time. A message is acknowledged when its promise
// is fulfilled, delivered again when it rejects, and extended as long as its handler runs.
//
// [Consume] keeps this order within one call. [ConsumePartitions] keeps it across processes and machines, which may come, go and be
// killed.
//
// A message is handled at least once. If the process dies between the work and the acknowledgement, or the
// acknowledgement is lost, the message is delivered again. [MessageID] identifies it in each delivery, and
// [Deduplicate] skips messages that this process has handled.
package natsloop
