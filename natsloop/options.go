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

// WithKey sets the function for a message's key; by default the key is the subject. It is called on a goroutine of
// the client's.
func WithKey(key func(jetstream.Msg) string) Option { return func(o *options) { o.key = key } }

// WithMaxInFlight sets how many messages may be in flight at a time, by default 500. In flight are messages whose
// handlers run, and those that wait for them or for their loop. The server's limit for all processes of the consumer
// is its MaxAckPending. It is for [Consume] alone.
func WithMaxInFlight(n int) Option { return func(o *options) { o.maxInFlight = max(n, 1) } }

// WithRedeliveryDelay sets after how long a message that was not handled is delivered again. By default that is at once.
func WithRedeliveryDelay(d time.Duration) Option { return func(o *options) { o.redeliveryDelay = d } }

// WithDrainTimeout limits how long handlers may go on when Consume ends. The remaining messages are then returned to
// the server, and Consume returns [ErrDrainTimeout]. By default handlers may take as long as they need.
func WithDrainTimeout(d time.Duration) Option { return func(o *options) { o.drainTimeout = d } }

// WithErrorHandler sets the function for errors. It gets each message that was not handled, with the reason, and
// errors of the client, with a nil message. It is called on any goroutine, loops included, must be quick and must not
// call the consumer. By default errors are logged through log/slog.
func WithErrorHandler(report func(m jetstream.Msg, err error)) Option {
	return func(o *options) { o.report = report }
}

// WithPullOptions sets how the client requests messages from the server, such as jetstream.PullExpiry and
// PullHeartbeat. By default it has as many messages ready as may be in flight; otherwise the defaults of
// [jetstream.Consumer] hold. It is for [Consume] alone.
func WithPullOptions(opts ...jetstream.PullConsumeOpt) Option {
	return func(o *options) { o.pull = append(o.pull, opts...) }
}
