package natsloop

import (
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// An Option configures [Consume].
type Option func(*options)

type options struct {
	key             func(jetstream.Msg) string
	maxInFlight     int
	redeliveryDelay time.Duration
	drainTimeout    time.Duration
	report          func(jetstream.Msg, error)
	pull            []jetstream.PullConsumeOpt
}

func defaults() options {
	return options{
		key:         jetstream.Msg.Subject,
		maxInFlight: 500,
		report: func(m jetstream.Msg, err error) {
			if m == nil {
				slog.Warn("natsloop: " + err.Error())
			} else {
				slog.Warn("natsloop: a message was not handled", "subject", m.Subject(), "error", err)
			}
		},
	}
}

// WithKey sets what the key of a message is; by default its subject. The function is called on a goroutine of the client's.
func WithKey(key func(jetstream.Msg) string) Option { return func(o *options) { o.key = key } }

// WithMaxInFlight sets how many messages may be in flight at a time, by default 500: those whose handlers run, and those that
// wait for them or for their loop. The server's limit for all processes of the consumer is its MaxAckPending.
func WithMaxInFlight(n int) Option { return func(o *options) { o.maxInFlight = max(n, 1) } }

// WithRedeliveryDelay sets after how long a message that was not handled is delivered again. By default that is at once.
func WithRedeliveryDelay(d time.Duration) Option { return func(o *options) { o.redeliveryDelay = d } }

// WithDrainTimeout limits how long handlers may go on when Consume ends. What is left then is returned to the server, and
// Consume returns [ErrDrainTimeout]. By default there is no limit.
func WithDrainTimeout(d time.Duration) Option { return func(o *options) { o.drainTimeout = d } }

// WithErrorHandler sets who learns of errors: of each message that was not handled, with the reason, and, with a nil message,
// of what the client tells. It is called on any goroutine, loops included, must be quick and must not call the consumer. By
// default they are logged through log/slog.
func WithErrorHandler(report func(m jetstream.Msg, err error)) Option {
	return func(o *options) { o.report = report }
}

// WithPullOptions sets how the client asks the server for messages, such as jetstream.PullExpiry and PullHeartbeat. By default
// it has as many messages ready as may be in flight, and otherwise does what [jetstream.Consumer] does.
func WithPullOptions(opts ...jetstream.PullConsumeOpt) Option {
	return func(o *options) { o.pull = append(o.pull, opts...) }
}
