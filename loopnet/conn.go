package loopnet

import (
	"errors"

	"github.com/eventloop-go/eventloop"
)

// A Conn is a stream connection on a loop.
type Conn struct {
	loop     *eventloop.Loop
	wire     wire
	group    *group
	listener *Listener // that accepted it, or nil
	before   *Conn     // in the group
	after    *Conn

	onData     func([]byte)
	onRest     func() // before onEnd
	onEnd      func()
	onDrain    func()
	onShutdown func()
	onClose    func(error)

	out       *output // data that waits to be sent; nil without any
	highWater int
	idle      *idle
	deadline  eventloop.Timer // zero if none was set
	framer    *framer         // nil unless onData is its
	reason    error           // of the close
	progress  *progress       // in a shutdown

	paused   bool
	unread   bool // there is data, and no OnData
	ended    bool // the other side has closed its direction
	ending   bool // End was called
	finished bool // our direction is closed
	full     bool // Write has returned false, and OnDrain's function has not run
	blocked  bool // the wire has to catch up before it takes more
	broken   bool // the wire takes nothing any more
	dirty    bool // the turn will flush it
	closed   bool
	reported bool // onClose has run
}

// A wire is a connection as the system has it. It calls received, endOfStream, writable and Fail on the loop.
type wire interface {
	// reading follows [Conn.wants].
	reading() error

	// write takes as much away from o as it can without waiting. If it is not all, or busy is not 0 then, writable is called when it
	// can take more.
	write(o *output) error

	// busy is how many bytes that write took have not been handed to the system.
	busy() int

	closeWrite() error
	close()
}

// Loop returns the loop on which the connection lives.
func (c *Conn) Loop() *eventloop.Loop { return c.loop }

// OnData has fn called with the data that the other side has sent. The slice is valid until fn returns. Before OnData
// nothing is read; received data waits in the system. A connection that only writes needs no OnData. It notices that
// the other side has hung up, if no unread data lies before that; otherwise the next write does.
func (c *Conn) OnData(fn func(p []byte)) {
	c.onData, c.onRest, c.framer = fn, nil, nil
	c.Resume()
}

// OnEnd has fn called when the other side has closed its direction, after all data. It may still receive: [Conn.End]
// closes ours. Without a function, End is called.
func (c *Conn) OnEnd(fn func()) { c.onEnd = fn }

// OnDrain has fn called when all has been sent, after Write has returned false. After End it is called only if the connection is paused.
func (c *Conn) OnDrain(fn func()) { c.onDrain = fn }

// OnShutdown has fn called when the listener or the loop begins to shut down. It may write, and must see to it that [Conn.End] is
// called, then or when the work in progress is done: the shutdown waits for that. Without a function, or if it panics, End is called.
func (c *Conn) OnShutdown(fn func()) { c.onShutdown = fn }

// OnClose has fn called once, in the close phase, when the connection has been closed. No other callback runs after it. The reason
// is nil after Close and when both directions have ended, [ErrShutdown] when a shutdown has ended it, and otherwise why it failed.
// If Write has accepted data that was not sent, the reason is an [*UnsentError] around that.
//
// If the loop ends first, fn is called at the loop's end, with [ErrLoopEnded]: the last callback has returned, and
// the loop accepts nothing any more. Data handed to the system counts as sent. A write in progress on a goroutine of
// the connection does not; see [New].
func (c *Conn) OnClose(fn func(err error)) { c.onClose = fn }

// SetHighWater sets the number of waiting bytes from which on Write returns false. With 0 or less, it returns
// false as soon as the system does not take everything. The default is [DefaultHighWater].
func (c *Conn) SetHighWater(n int) { c.highWater = max(n, 1) }

// Pause stops reading, so that the other side has to wait when the system's buffers are full. Lines and frames that came
// together with the one in hand are still delivered. That the other side has closed its direction is noticed after Resume.
func (c *Conn) Pause() { c.read(true) }

// Resume reads again.
func (c *Conn) Resume() { c.read(false) }

func (c *Conn) read(paused bool) {
	c.paused = paused
	if c.closed || c.ended {
		return
	}
	if err := c.wire.reading(); err != nil {
		c.Fail(err)
	}
}

// wants reports whether the wire is to read. Without OnData it looks only for the end.
func (c *Conn) wants() bool {
	return !c.paused && !c.ended && !c.closed && (c.onData != nil || !c.unread)
}

// End closes our direction when all data has been sent. The other side may go on to send. The connection is closed
// when both directions are.
func (c *Conn) End() {
	if !c.over() {
		c.ending = true
		c.finish()
	}
}

// finish closes our direction, if it is time to, and the connection, if both are.
func (c *Conn) finish() {
	if c.closed || !c.ending || c.out != nil || c.blocked {
		return
	}
	switch {
	case c.ended:
		c.close(nil)
	case !c.finished:
		c.finished = true
		if err := c.wire.closeWrite(); err != nil {
			c.Fail(err)
		}
	}
}

// received delivers data.
func (c *Conn) received(p []byte) {
	if c.closed {
		return
	}
	c.active(received)
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
	if err := c.wire.reading(); err != nil {
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
		c.orEnd(c.onEnd)
	default:
		c.End()
	}
}

// orEnd calls fn, which is to end our direction, and does it itself if fn panics.
func (c *Conn) orEnd(fn func()) {
	returned := false
	defer func() {
		if !returned {
			c.End()
		}
	}()
	fn()
	returned = true
}

// Close closes the connection at once. Waiting data is handed to the system as far as it takes it without blocking;
// OnClose reports the rest. Closing again does nothing.
func (c *Conn) Close() { c.close(nil) }

// Fail is Close with a reason for OnClose.
func (c *Conn) Fail(err error) { c.close(err) }

func (c *Conn) close(err error) {
	if c.closed {
		return
	}
	if !c.broken {
		c.broken = true // flush may fail, and must not come here again
		c.flush()
	}
	switch c.closed = true; {
	case err == nil && c.progress != nil:
		err = ErrShutdown
	case errors.Is(err, eventloop.ErrLoopTerminated): // the loop was closed while the connection changed what it waits for
		err = ErrLoopEnded
	}
	unsent := c.wire.busy()
	if c.out != nil {
		unsent += c.out.size
		c.out.free()
		c.out = nil
	}
	if c.reason = err; unsent > 0 {
		c.reason = &UnsentError{Bytes: unsent, Reason: err}
	}
	c.stopTimers()
	c.wire.close()
	_ = c.group.hooks.ScheduleClose(c.report) // refused when the loop has ended, which reports too
}

// report reports the close to the program, and forgets the connection.
func (c *Conn) report() {
	if c.reported {
		return
	}
	c.reported = true
	c.group.remove(c)
	if c.onClose != nil {
		c.onClose(c.reason)
	}
}
