package loopnet

import (
	"bytes"
	"encoding/binary"
	"math"
)

// OnLines is [Conn.OnData] by line: fn is called with each line, without its line feed and a carriage return before
// that. The slice is good until fn returns. A line that has more than limit bytes closes the connection with
// [ErrTooLong]. The rest after the last line feed is a line too, when the other side has ended.
func (c *Conn) OnLines(limit int, fn func(line []byte)) {
	f := &framer{c: c, limit: limit, fn: fn, cut: cutLine}
	f.begin()
	c.onRest = f.end
}

// OnFrames is [Conn.OnData] by frame: four bytes with the length, big-endian, and as many bytes, with which fn is
// called. The slice is valid until fn returns. A frame of more than limit bytes closes the connection with
// [ErrTooLong].
func (c *Conn) OnFrames(limit int, fn func(frame []byte)) {
	f := &framer{c: c, limit: limit, fn: fn, cut: cutFrame}
	f.begin()
}

// WriteFrame is [Conn.Write] of a frame, for OnFrames on the other side. The length field allows at most 4 GiB - 1. A
// longer frame closes the connection with [ErrTooLong], and nothing of it is sent.
func (c *Conn) WriteFrame(p []byte) bool {
	head, ok := frameHead(uint64(len(p)))
	if !ok {
		c.Fail(ErrTooLong)
		return false
	}
	if len(p) < lendFrom {
		c.Write(head[:])
		return c.Write(p)
	}
	if c.writes(len(head)) { // both in one call
		c.out.copy(head[:])
		c.group.turn.remember(c)
	}
	return c.Write(p)
}

// frameHead is the length of a frame as it is sent.
func frameHead(n uint64) (head [4]byte, ok bool) {
	binary.BigEndian.PutUint32(head[:], uint32(n))
	return head, n <= math.MaxUint32
}

// A framer cuts received data into pieces. The rest, of an incomplete piece, waits for more.
type framer struct {
	c     *Conn
	limit int
	fn    func([]byte)
	rest  []byte
	seen  int // how much of rest was searched without success
	cut   func(p []byte, seen, limit int) (piece, rest []byte, found, tooLong bool)
}

func (f *framer) begin() {
	f.c.OnData(f.data)
	f.c.framer = f
}

func (f *framer) data(p []byte) {
	kept := len(f.rest) > 0
	if kept {
		f.rest = append(f.rest, p...)
		p = f.rest
	}
	returned := false
	defer func() {
		f.keep(p, kept)
		if !returned { // a callback has panicked: the callbacks of later pieces still run, before any new data comes
			_ = f.c.loop.ScheduleMicrotask(func() { f.data(nil) })
		}
	}()
	for !f.c.closed && f.c.framer == f {
		piece, rest, found, tooLong := f.cut(p, f.seen, f.limit)
		if tooLong {
			f.c.Fail(ErrTooLong)
			break
		}
		if !found {
			f.seen = len(p)
			break
		}
		p, f.seen, kept = rest, 0, false
		f.fn(piece)
	}
	returned = true
}

// keep has p wait for more. If nothing was cut from the kept data, p is there already.
func (f *framer) keep(p []byte, kept bool) {
	switch {
	case len(p) == 0 || f.c.closed:
		f.rest = nil // an idle connection has no buffer
	case f.c.framer != f: // the last callback has chosen another way to read the rest
		f.rest = nil
		f.c.received(append([]byte(nil), p...))
	case !kept:
		f.rest = append([]byte(nil), p...)
	}
}

// end delivers a last line without a line feed.
func (f *framer) end() {
	f.data(nil) // there are whole lines if a callback has just panicked
	if line := f.rest; len(line) > 0 {
		f.rest = nil
		f.fn(bytes.TrimSuffix(line, []byte{'\r'}))
	}
}

func cutLine(p []byte, seen, limit int) (line, rest []byte, found, tooLong bool) {
	end := bytes.IndexByte(p[seen:], '\n')
	if end < 0 {
		return nil, nil, false, len(p) > limit && len(bytes.TrimSuffix(p, []byte{'\r'})) > limit
	}
	line = bytes.TrimSuffix(p[:seen+end], []byte{'\r'})
	return line[:len(line):len(line)], p[seen+end+1:], true, len(line) > limit
}

func cutFrame(p []byte, _, limit int) (frame, rest []byte, found, tooLong bool) {
	if len(p) < 4 {
		return nil, nil, false, false
	}
	n := binary.BigEndian.Uint32(p)
	if uint64(n) > uint64(max(limit, 0)) {
		return nil, nil, false, true
	}
	if uint64(len(p)-4) < uint64(n) {
		return nil, nil, false, false
	}
	end := 4 + int(n)
	return p[4:end:end], p[end:], true, false
}
