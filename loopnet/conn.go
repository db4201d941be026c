package loopnet

import (
	"errors"
	"time"

	"github.com/eventloop-go/eventloop"
)

// The errors of a [Conn]. Match them with [errors.Is].
var (
	// ErrTooLong says that the other side has sent a line or a frame that is longer than the limit.
	ErrTooLong = errors.New("loopnet: line or frame is too long")

	// ErrIdle says that nothing was received or sent for the time that SetIdleTimeout gives.
	ErrIdle = errors.New("loopnet: connection is idle")

	// ErrLoopEnded says that the loop has ended before its connection.
	ErrLoopEnded = errors.New("loopnet: the loop has ended")
)

// DefaultHighWater is the number of bytes waiting to be sent from which on Write asks for a pause.
const DefaultHighWater = 64 << 10

// A Conn is a stream connection on a loop.
type Conn struct {
	loop   *eventloop.Loop
	wire   wire
	group  *group
	before *Conn // in the group
	after  *Conn

	onData  func([]byte)
	onRest  func() // before onEnd
	onEnd   func()
	onDrain func()
	onClose func(error)

	out       []byte // waits to be sent
	sent      int    // how much of out has been
	highWater int
	idle      *idle
	deadline  eventloop.Timer // zero if none was set
	framer    *framer         // nil unless onData is its

	paused   bool
	ended    bool // the other side has closed its direction
	ending   bool // End was called
	finished bool // our direction is closed
	full     bool // Write has returned false, and OnDrain's function has not run
	closed   bool
	active   bool // since the idle timer last looked
}

// A wire is a connection as the system has it. It calls received, writable and fail on the loop.
type wire interface {
	// reading says whether received is to be called.
	reading(on bool) error

	// write takes as much as it can without waiting. If that is not all, writable is called when it can take more.
	write(p []byte) (n int, err error)

	// busy reports that what write took has not been handed to the system. Then writable is called.
	busy() bool

	closeWrite() error
	close()
}

// Loop returns the loop on which the connection lives.
func (c *Conn) Loop() *eventloop.Loop { return c.loop }

// OnData has fn called with what the other side has sent. The slice is good until fn returns. Nothing is read before, and
// what has been sent waits in the system.
func (c *Conn) OnData(fn func(p []byte)) {
	c.onData, c.onRest, c.framer = fn, nil, nil
	c.Resume()
}

// OnEnd has fn called when the other side has closed its direction, after all data. It may still receive: [Conn.End]
// closes ours. Without a function, End is called.
func (c *Conn) OnEnd(fn func()) { c.onEnd = fn }

// OnDrain has fn called when all has been sent, after Write has returned false.
func (c *Conn) OnDrain(fn func()) { c.onDrain = fn }

// OnClose has fn called, in the close phase, when the connection has been closed, with the reason: nil after Close and when
// both directions have ended. No other callback runs after it. It is not called when the loop ends first.
func (c *Conn) OnClose(fn func(err error)) { c.onClose = fn }

// SetHighWater sets the number of waiting bytes from which on Write returns false.
func (c *Conn) SetHighWater(n int) { c.highWater = n }

// Pause stops reading, so that the other side has to wait when the system's buffers are full. Lines and frames that came
// together with the one in hand are still delivered.
func (c *Conn) Pause() { c.read(true) }

// Resume reads again.
func (c *Conn) Resume() { c.read(false) }

func (c *Conn) read(paused bool) {
	c.paused = paused
	if c.closed || c.ended {
		return
	}
	if err := c.wire.reading(!paused && c.onData != nil); err != nil {
		c.Fail(err)
	}
}

// Write sends p, and keeps a copy of what the system does not take at once. It never waits. False asks the caller to stop
// until OnDrain: as many bytes wait as SetHighWater says; p is kept all the same. What is written after End or to a
// connection that is closed is dropped.
func (c *Conn) Write(p []byte) bool {
	if c.closed || c.ending {
		return true
	}
	c.active = true
	if len(c.out) == 0 {
		n, err := c.wire.write(p)
		if err != nil {
			c.Fail(err)
			return true
		}
		p = p[n:]
	}
	if c.sent > c.Buffered() { // a connection that never catches up keeps what waits, and not what has been sent
		c.out, c.sent = append(c.out[:0], c.out[c.sent:]...), 0
	}
	c.out = append(c.out, p...)
	if c.Buffered() >= c.highWater {
		c.full = true
	}
	return !c.full
}

// Buffered returns the number of bytes that wait to be sent.
func (c *Conn) Buffered() int { return len(c.out) - c.sent }

// writable sends what waits.
func (c *Conn) writable() {
	if c.closed {
		return
	}
	c.active = true
	if c.sent < len(c.out) {
		n, err := c.wire.write(c.out[c.sent:])
		if err != nil {
			c.Fail(err)
			return
		}
		c.sent += n
	}
	if c.sent < len(c.out) {
		return
	}
	c.out, c.sent = nil, 0 // an idle connection has no buffer
	c.finish()
	if c.full && !c.wire.busy() && !c.closed {
		c.full = false
		if c.onDrain != nil {
			c.onDrain()
		}
	}
}

// End closes our direction when all has been sent. The other side may go on to send. When both directions are closed, so is
// the connection.
func (c *Conn) End() {
	if !c.closed && !c.ending {
		c.ending = true
		c.finish()
	}
}

// finish closes our direction, if it is time to, and the connection, if both are.
func (c *Conn) finish() {
	if c.closed || !c.ending || len(c.out) > 0 || c.wire.busy() {
		return
	}
	if !c.finished {
		c.finished = true
		if c.ended {
			c.close(nil)
			return
		}
		if err := c.wire.closeWrite(); err != nil {
			c.Fail(err)
		}
		return
	}
	if c.ended {
		c.close(nil)
	}
}

// received delivers data.
func (c *Conn) received(p []byte) {
	if c.closed {
		return
	}
	c.active = true
	if c.onData != nil {
		c.onData(p[:len(p):len(p)])
	}
}

// endOfStream delivers that the other side has closed its direction.
func (c *Conn) endOfStream() {
	if c.closed || c.ended {
		return
	}
	c.ended = true
	if err := c.wire.reading(false); err != nil {
		c.Fail(err)
		return
	}
	defer c.finish() // this, and the next, also if a callback panics
	defer c.tellEnd()
	if c.onRest != nil {
		c.onRest()
	}
}

func (c *Conn) tellEnd() {
	switch {
	case c.closed:
	case c.onEnd != nil:
		c.onEnd()
	default:
		c.End()
	}
}

// Close closes the connection at once, and drops what waits to be sent. Closing again does nothing.
func (c *Conn) Close() { c.close(nil) }

// Fail is Close with a reason for OnClose.
func (c *Conn) Fail(err error) { c.close(err) }

func (c *Conn) close(err error) {
	if c.closed {
		return
	}
	c.release()
	if c.onClose != nil {
		fn := c.onClose
		_ = c.loop.ScheduleClose(func() { fn(err) }) // refused when the loop has ended
	}
}

// release gives back what the connection has of the system.
func (c *Conn) release() {
	c.closed = true
	c.out, c.sent = nil, 0
	if c.idle != nil {
		c.loop.CancelTimer(c.idle.timer)
	}
	if c.deadline != (eventloop.Timer{}) {
		c.loop.CancelTimer(c.deadline)
	}
	c.wire.close()
	c.group.remove(c)
}

// An idle timer closes a connection that is idle.
type idle struct {
	timer eventloop.Timer
	after time.Duration
}

// SetIdleTimeout closes the connection, with [ErrIdle], when nothing was received or sent for d, and at most for twice as
// long. It costs nothing while data flows but one timer. A d that is not positive ends it.
func (c *Conn) SetIdleTimeout(d time.Duration) {
	if c.closed {
		return
	}
	if c.idle != nil {
		c.loop.CancelTimer(c.idle.timer)
		c.idle = nil
	}
	if d <= 0 {
		return
	}
	c.active = false
	c.idle = &idle{after: d}
	c.idle.timer = c.loop.NewTimer(c.lookIdle)
	_ = c.idle.timer.Reset(d) // refused when the loop is ending
}

func (c *Conn) lookIdle() {
	if !c.active {
		c.Fail(ErrIdle)
		return
	}
	c.active = false
	_ = c.idle.timer.Reset(c.idle.after)
}

// SetDeadline closes the connection, with [os.ErrDeadlineExceeded], once d has passed. The timer that it returns stops or
// resets it. Setting it again replaces it, and a connection that is closed has none.
func (c *Conn) SetDeadline(d time.Duration) (eventloop.Timer, error) {
	if c.deadline == (eventloop.Timer{}) {
		c.deadline = c.loop.NewTimer(func() { c.Fail(errDeadline) })
	}
	if c.closed {
		return c.deadline, nil
	}
	return c.deadline, c.deadline.Reset(d)
}
