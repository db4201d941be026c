package loopnet

import "unsafe"

const (
	// DefaultHighWater is the number of bytes waiting to be sent from which on Write asks for a pause.
	DefaultHighWater = 64 << 10

	// flushFrom is how many bytes of a connection do not wait for the end of the turn.
	flushFrom = 64 << 10

	// lendFrom is the size from which on a write is tried at once, since a copy would cost more than the call it saves.
	lendFrom = 16 << 10

	// shareFrom is the size from which on a piece of its own in a system call costs less than a copy for all connections.
	shareFrom = 4 << 10
)

// Write sends p at the end of the turn, together with all other writes of the turn to the connection, by one system
// call. It never blocks, and p may be reused when it returns. 64 KiB or more do not wait for the end of the turn, and
// [Conn.Flush] does not either.
//
// False asks the caller to stop. If p was kept, stop until OnDrain: as many bytes wait as SetHighWater allows. If the
// connection is closed, or End was called, p is dropped, and the stop is final.
func (c *Conn) Write(p []byte) bool {
	if !c.writes(len(p)) {
		return c.refuses()
	}
	switch {
	case c.blocked:
		c.out.copy(p)
	case len(p) >= lendFrom:
		c.out.add(p, lent)
		c.flush()
	default:
		c.group.turn.gather(c, p)
	}
	return c.wrote()
}

// WriteShared is [Conn.Write] for a payload that goes to many connections. They share p, which must never change
// again.
//
// A payload of up to 4 KiB that is written to one connection after another is copied once for all of them. A longer one, and one that has to
// wait, is not copied: each connection keeps p itself until it is sent. The garbage collector counts who uses a payload, so the program
// does not have to, and cannot give it back too early or too late.
func (c *Conn) WriteShared(p []byte) bool {
	if !c.writes(len(p)) {
		return c.refuses()
	}
	switch {
	case c.blocked:
		c.out.add(p, shared)
	case len(p) > shareFrom:
		c.out.add(p, shared)
		c.group.turn.remember(c)
	default:
		c.group.turn.share(c, p)
	}
	return c.wrote()
}

// over reports whether nothing can be written any more.
func (c *Conn) over() bool { return c.closed || c.ending }

// refuses is the end of a write that has nothing to do.
//
// A program that answers its input stops reading when Write reports false. After End too it has to be woken.
// Otherwise it would never see that the other side ends.
func (c *Conn) refuses() bool {
	if c.ending && !c.closed && !c.full {
		c.full = true
		_ = c.group.hooks.ScheduleClose(c.drained) // behind the end of the turn's output
	}
	return !c.full && !c.over()
}

// writes prepares a write of n bytes. It reports false if there is nothing to do.
func (c *Conn) writes(n int) bool {
	if n == 0 || c.over() {
		return false
	}
	if c.out == nil {
		c.out = outputs.Get().(*output)
	}
	return true
}

// wrote is the end of a write.
func (c *Conn) wrote() bool {
	if n := c.Buffered(); n >= flushFrom || n >= c.highWater {
		c.flush()
		c.full = c.full || !c.closed && c.Buffered() >= c.highWater
	}
	return !c.full && !c.over()
}

// Flush sends waiting data now, and not at the end of the turn. It does not block: data that the system does not take
// is sent later.
func (c *Conn) Flush() {
	c.flush()
	c.finish()
}

// Buffered returns the number of bytes that were written and not handed to the system.
func (c *Conn) Buffered() int {
	n := 0
	if c.out != nil {
		n = c.out.size
	}
	if !c.closed {
		n += c.wire.busy()
	}
	return n
}

// flush hands waiting data to the wire, unless that has to catch up first.
func (c *Conn) flush() {
	if c.closed || c.blocked || c.out == nil {
		return
	}
	waiting := c.out.size
	err := c.wire.write(c.out)
	if c.out.size < waiting {
		c.active(sent)
	}
	switch {
	case err != nil && c.broken: // it is being closed, which reports what is left
	case err != nil:
		c.broken = true
		c.Fail(err)
	case c.out.size > 0:
		c.blocked = true
		c.out.keep()
	default:
		c.out.free()
		c.out = nil // an idle connection has no buffer
		c.blocked = c.wire.busy() > 0
	}
}

// writable goes on after the wire has caught up.
func (c *Conn) writable() {
	if c.closed {
		return
	}
	c.blocked = false
	c.flush()
	c.finish()
	c.drained()
}

// drained reports to the program that all data has been sent. After End that matters only to a program that has
// stopped reading: it can write no more.
func (c *Conn) drained() {
	if c.full && !c.blocked && c.out == nil && !c.closed {
		c.full = false
		if c.onDrain != nil && (c.paused || !c.ending) {
			c.onDrain()
		}
	}
}

// A turn gathers the writes of a loop's connections, and sends them at the end of the loop's turn.
//
// The close phase is the last of a turn. The loop does not sleep while a task for that phase waits. So it is early
// enough to schedule one at the first write, in any callback: a task, a timer, a microtask or another connection's
// callback. It costs one task of the loop for each turn, and not one for each connection or callback.
//
// Small writes are copied into one buffer of all connections, which is hot in the processor's cache and empty after
// each turn. There the messages to a room lie once, one behind the other, so that the output of each connection is a
// single piece. Only a connection that cannot send at once gets memory of its own.
type turn struct {
	group  *group
	dirty  []*Conn // in the order of their first write
	buf    []byte  // its length is the used part, and its capacity does not change
	shared []byte  // the last payload that was shared
	at     int     // where it lies in buf
	queued bool    // end is scheduled
}

// turnRoom is the size of the buffer. A turn that writes more sends in between.
const turnRoom = 64 << 10

// gather adds a copy of p to c's output. p is shorter than the room.
func (t *turn) gather(c *Conn, p []byte) {
	if t.room(c, p) {
		t.buf = append(t.buf, p...)
		t.place(c, len(t.buf)-len(p), len(t.buf))
	}
}

// share is gather for a payload that may be there already.
func (t *turn) share(c *Conn, p []byte) {
	if len(t.shared) == len(p) && unsafe.SliceData(t.shared) == unsafe.SliceData(p) {
		t.place(c, t.at, t.at+len(p))
		return
	}
	if t.room(c, p) {
		t.shared, t.at = p, len(t.buf)
		t.buf = append(t.buf, p...)
		t.place(c, t.at, len(t.buf))
	}
}

// room makes room for p. It reports false if there is nothing left to do: to make room, c was flushed, which has failed or has left
// something.
func (t *turn) room(c *Conn, p []byte) bool {
	if t.buf == nil {
		t.buf = make([]byte, 0, turnRoom)
	}
	if len(t.buf)+len(p) <= turnRoom {
		return true
	}
	t.flush()
	switch {
	case !c.writes(len(p)):
		return false
	case c.blocked:
		c.out.copy(p)
		return false
	}
	return true
}

// place adds a part of the buffer to c's output.
func (t *turn) place(c *Conn, begin, end int) {
	o := c.out
	if begin > 0 && o.end == begin {
		x := &o.pieces[len(o.pieces)-1]
		x.p = t.buf[begin-len(x.p) : end : end]
		o.size += end - begin
	} else {
		o.add(t.buf[begin:end:end], lent)
		t.remember(c)
	}
	o.end = end
}

// remember has c flushed at the end of the turn.
func (t *turn) remember(c *Conn) {
	if c.dirty || c.blocked {
		return
	}
	c.dirty = true
	t.dirty = append(t.dirty, c)
	if !t.queued {
		t.queued = t.group.hooks.ScheduleClose(t.end) == nil // refused when the loop ends, which flushes too
	}
}

func (t *turn) end() {
	t.queued = false
	t.flush()
}

// flush sends everything that was gathered.
func (t *turn) flush() {
	for _, c := range t.dirty {
		c.dirty = false
		c.Flush()
	}
	clear(t.dirty)
	t.dirty, t.buf, t.shared = t.dirty[:0], t.buf[:0], nil
}
