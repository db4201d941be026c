package natsloop

import (
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Terminate makes an error for a message that must not be delivered again, such as one that can never be understood.
// Reject the message's promise with it. The server reports its text to listeners of its advisories.
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

// acknowledge sends the result of a message to the server: err is nil, or why it was not handled.
func (c *consumption) acknowledge(m jetstream.Msg, err error) {
	var failed error
	var final *terminated
	switch {
	case err == nil:
		failed = m.Ack()
	case err == errStopping, err == errAgain:
		failed = m.Nak()
	case errors.As(err, &final):
		failed = m.TermWithReason(final.Error())
	default:
		if delay := c.delay(err); delay > 0 && c.lease == nil {
			failed = m.NakWithDelay(delay)
		} else {
			failed = m.Nak()
		}
	}
	if err != nil && err != errStopping && err != errAgain {
		c.report(m, err)
	}
	if failed != nil && !errors.Is(failed, jetstream.ErrMsgAlreadyAckd) { // the handler may have done it
		c.report(m, fmt.Errorf("natsloop: the server was not told what became of a message: %w", failed))
	}
}

// delay is how long a message that failed with err is to wait for its next delivery.
func (c *consumption) delay(err error) time.Duration {
	var later *delayed
	if errors.As(err, &later) {
		return later.delay
	}
	return c.redeliveryDelay
}
