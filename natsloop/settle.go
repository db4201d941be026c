package natsloop

import (
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Terminate makes an error that has the message of a promise that rejects with it not delivered again, such as one that can
// never be understood. The server tells its text to whoever listens to its advisories.
func Terminate(err error) error { return &terminated{err} }

type terminated struct{ error }

func (t *terminated) Unwrap() error { return t.error }

// RetryAfter makes an error that has the message of a promise that rejects with it delivered again after delay.
func RetryAfter(err error, delay time.Duration) error { return &delayed{err, delay} }

type delayed struct {
	error
	delay time.Duration
}

func (d *delayed) Unwrap() error { return d.error }

// acknowledge tells the server what became of a message: err is nil, or why it was not handled.
func (c *consumption) acknowledge(m jetstream.Msg, err error) {
	var failed error
	var final *terminated
	var later *delayed
	switch {
	case err == nil:
		failed = m.Ack()
	case err == errStopping:
		failed = m.Nak()
	case errors.As(err, &final):
		failed = m.TermWithReason(final.Error())
	default:
		delay := c.redeliveryDelay
		if errors.As(err, &later) {
			delay = later.delay
		}
		if delay > 0 {
			failed = m.NakWithDelay(delay)
		} else {
			failed = m.Nak()
		}
	}
	if err != nil && err != errStopping {
		c.report(m, err)
	}
	if failed != nil && !errors.Is(failed, jetstream.ErrMsgAlreadyAckd) { // the handler may have done it
		c.report(m, fmt.Errorf("natsloop: the server was not told what became of a message: %w", failed))
	}
}
