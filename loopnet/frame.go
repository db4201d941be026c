package loopnet

import (
	"bytes"
	"encoding/binary"
)

// OnLines is [Conn.OnData] by line: fn is called with each line, without its line feed and a carriage return before that.
// The slice is good until fn returns. A line that has more than limit bytes closes the connection with [ErrTooLong]. What
// follows the last line feed is a line too, when the other side has ended.
func (c *Conn) OnLines(limit int, fn func(line []byte)) {
	f := &framer{c: c, limit: limit, fn: fn, cut: cutLine}
	c.OnData(f.data)
}

// OnFrames is [Conn.OnData] by frame: four bytes that tell the length, big-endian, and as many bytes, which fn is called
// with. The slice is good until fn returns. A frame of more than limit bytes closes the connection with [ErrTooLong].
func (c *Conn) OnFrames(limit int, fn func(frame []byte)) {
	f := &framer{c: c, limit: limit, fn: fn, cut: cutFrame}
	c.OnData(f.data)
}

// WriteFrame is [Conn.Write] of a frame, for OnFrames on the other side.
func (c *Conn) WriteFrame(p []byte) bool {
	var head [4]byte
	binary.BigEndian.PutUint32(head[:], uint32(len(p)))
	c.Write(head[:])
	return c.Write(p)
}

// A framer cuts what is received into pieces. The rest, of a piece that is not complete, waits for more.
type framer struct {
	c     *Conn
	limit int
	fn    func([]byte)
	rest  []byte
	cut   func(p []byte, limit int) (piece, rest []byte, found, tooLong bool)
}

func (f *framer) data(p []byte) {
	if len(f.rest) > 0 {
		f.rest = append(f.rest, p...)
		p = f.rest
	}
	for !f.c.closed {
		piece, rest, found, tooLong := f.cut(p, f.limit)
		if tooLong {
			f.c.Fail(ErrTooLong)
			return
		}
		if !found {
			break
		}
		f.fn(piece)
		p = rest
	}
	if len(p) == 0 {
		f.rest = nil // an idle connection has no buffer
		return
	}
	f.rest = append([]byte(nil), p...)
}

func cutLine(p []byte, limit int) (line, rest []byte, found, tooLong bool) {
	line, rest, found = bytes.Cut(p, []byte{'\n'})
	line = bytes.TrimSuffix(line, []byte{'\r'})
	return line[:len(line):len(line)], rest, found, len(line) > limit
}

func cutFrame(p []byte, limit int) (frame, rest []byte, found, tooLong bool) {
	if len(p) < 4 {
		return nil, nil, false, false
	}
	n := int(binary.BigEndian.Uint32(p))
	if n < 0 || n > limit {
		return nil, nil, false, true
	}
	if len(p) < 4+n {
		return nil, nil, false, false
	}
	return p[4 : 4+n : 4+n], p[4+n:], true, false
}
