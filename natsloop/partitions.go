package natsloop

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/eventloop-go/eventloop/promise"
	"github.com/nats-io/nats.go/jetstream"
)

// ErrNotPartitioned says that the subjects of a stream do not begin with the number of a partition: see [PartitionBy].
var ErrNotPartitioned = errors.New("natsloop: the stream's subject transform does not begin with {{partition(n, …)}}; see PartitionBy")

// ErrServerTooOld says that the server knows no pinned clients, which came with version 2.11.
var ErrServerTooOld = errors.New("natsloop: partitions need a NATS server 2.11 or newer")

// PartitionBy makes the subject transform of a stream for [ConsumePartitions]. Messages that are published to source, such as
// "payments.*", are stored in n partitions, as "3.payments.ann" for example. Messages with equal tokens are in the same
// partition; tokens are numbers of source's wildcards, from 1, by default all of them. A source that ends in ">" is partitioned
// by its whole subject if no tokens are given.
//
// More partitions than processes let work be shared evenly, and each costs the server a consumer. Four for each
// processor that will ever take part are enough. Messages in the stream stay where they are when n changes. So change
// it when the group has handled them all, with a new name of the group.
func PartitionBy(source string, n int, tokens ...int) *jetstream.SubjectTransformConfig {
	parts := strings.Split(source, ".")
	wildcards := 0
	for i, part := range parts {
		if part == "*" {
			wildcards++
			parts[i] = fmt.Sprintf("{{wildcard(%d)}}", wildcards)
		}
	}
	if len(tokens) == 0 && parts[len(parts)-1] != ">" {
		for i := range wildcards {
			tokens = append(tokens, i+1)
		}
	}
	args := strconv.Itoa(n)
	for _, t := range tokens {
		args += "," + strconv.Itoa(t)
	}
	return &jetstream.SubjectTransformConfig{Source: source, Destination: "{{partition(" + args + ")}}." + strings.Join(parts, ".")}
}

// Partitions describes the common settings of a group's members.
type Partitions struct {
	Stream string // its subjects begin with the number of a partition
	Group  string // the name, which its consumers' names begin with

	// Config is how its consumers are made. AckWait, by default 30 s, is after how long other members go on with the work of one
	// that was killed. MaxAckPending, by default 100, is how many messages of a partition are in flight. Names, filters,
	// AckPolicy and priorities are set by ConsumePartitions.
	Config jetstream.ConsumerConfig
}

// ConsumePartitions has handle called, as [Consume] does, with the messages of a stream that all members of a group share. A
// member is a call of ConsumePartitions, in any process on any machine. Members may come, go and be killed at any time. The keys
// of [WithKey] must be made of the tokens that the stream is partitioned by. Subjects are those that were published.
//
// Guaranteed, as long as members reach the server or notice within two thirds of AckWait that they do not:
//
//   - No two messages of a key are handled at the same time, in all members together.
//   - They are handled in the order of the stream. Messages that are delivered again are the exception: those that failed, after
//     some that came behind them, and those of a member that was killed or cut off, possibly for the second time.
//   - No message is lost: it is acknowledged when its handler has succeeded.
//
// A member that is suspended, or cut off from the server, begins no handlers and sends no acknowledgements after two
// thirds of AckWait ([ErrLeaseLost]). Handlers that run then are not stopped, and after AckWait other members get
// their messages. A store can refuse later writes of such a handler by a fencing token in the message's Metadata:
// Sequence.Stream with NumDelivered. For a key it grows with every delivery that is not a repetition of a failed one.
// A server that crashes without replicas forgets its deliveries. That breaks the order of the messages in flight.
//
// Each partition has a consumer, GROUP-0 and so on, with one pinned client ([jetstream.PriorityPolicyPinned]).
// Members that hold fewer partitions than others, or none, stand by for all. A member that joins gets its share
// within seconds: others give up partitions and finish the handlers that have begun. The partitions of a killed
// member are taken over within the lesser of AckWait and some ten seconds. Messages that it had not acknowledged
// follow after AckWait, and the later ones of their partitions wait for them.
//
// It differs from Consume in these points: [WithMaxInFlight] and [WithPullOptions] do not apply. A message with [RetryAfter] stays
// in flight until then. Ending takes up to two seconds more, for requests that wait at the server.
//
// The consumers are made by the first member; a member whose Config differs gets jetstream.ErrConsumerExists.
func ConsumePartitions[T any](ctx context.Context, js jetstream.JetStream, p Partitions, target Target, handle func(jetstream.Msg) *promise.Promise[T], opts ...Option) error {
	o := defaults()
	for _, opt := range opts {
		opt(&o)
	}
	m, err := join(ctx, js, p, o, func(consumer jetstream.Consumer) *consumption { return newConsumption(o, consumer, target, handle) })
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	return m.run(ctx)
}

// join makes the consumers of a group, unless there are some.
func join(ctx context.Context, js jetstream.JetStream, p Partitions, o options, consume func(jetstream.Consumer) *consumption) (*member, error) {
	stream, err := js.Stream(ctx, p.Stream)
	if err != nil {
		return nil, err
	}
	n := partitionsOf(stream.CachedInfo().Config)
	if n == 0 {
		return nil, ErrNotPartitioned
	}
	config := p.Config
	config.AckPolicy = jetstream.AckExplicitPolicy
	config.FilterSubjects = nil
	if config.MaxAckPending == 0 {
		config.MaxAckPending = 100
	}
	m := &member{js: js, stream: stream, group: p.Group, report: o.report, batch: min(config.MaxAckPending, 256), changed: make(chan struct{})}
	create := func(name, filter string, config jetstream.ConsumerConfig) (jetstream.Consumer, error) {
		config.Name, config.Durable, config.FilterSubject = "", p.Group+"-"+name, filter
		return stream.CreateConsumer(ctx, config)
	}
	// No partition has the number n.
	if m.roster, err = create("members", strconv.Itoa(n)+".>", config); err != nil {
		return nil, err
	}
	m.wait = ackWait(config)
	m.lease = newLease(m.wait)
	config.PriorityPolicy = jetstream.PriorityPolicyPinned
	config.PriorityGroups = []string{p.Group}
	config.PinnedTTL = pinTTL(m.wait)
	m.expires = config.PinnedTTL / 3
	for i := range n {
		number := strconv.Itoa(i)
		consumer, err := create(number, number+".>", config)
		if err != nil {
			return nil, err
		}
		if consumer.CachedInfo().Config.PriorityPolicy != jetstream.PriorityPolicyPinned {
			return nil, ErrServerTooOld
		}
		c := consume(consumer)
		c.lease = m.lease
		c.flight = newFlight(0)
		c.flight.bySeq = map[uint64]*delivery{}
		c.kept.messages = map[*delivery]*time.Timer{}
		m.parts = append(m.parts, &partition{consumption: c, m: m, name: consumer.CachedInfo().Name})
	}
	return m, nil
}

var partitionFunction = regexp.MustCompile(`^\{\{\s*[pP]artition\s*\(\s*(\d+)`)

// partitionsOf returns into how many partitions a stream's subjects are transformed; 0 if they are not.
func partitionsOf(config jetstream.StreamConfig) int {
	transforms := []jetstream.SubjectTransformConfig{}
	if config.SubjectTransform != nil {
		transforms = append(transforms, *config.SubjectTransform)
	}
	for _, source := range append([]*jetstream.StreamSource{config.Mirror}, config.Sources...) {
		if source != nil {
			transforms = append(transforms, source.SubjectTransforms...)
		}
	}
	for _, t := range transforms {
		if found := partitionFunction.FindStringSubmatch(t.Destination); found != nil {
			n, _ := strconv.Atoi(found[1])
			return n
		}
	}
	return 0
}
