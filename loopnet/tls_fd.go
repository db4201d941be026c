//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package loopnet

import (
	"crypto/tls"
	"fmt"
	"io"

	"golang.org/x/sys/unix"

	"github.com/eventloop-go/eventloop"
)

// recordMost is how much is encrypted at a time: a record at most.
const recordMost = 16 << 10

// clogged is how much encrypted data may wait before nothing is read: the other side can ask for answers of TLS without reading them.
const clogged = 64 << 10

// A secure descriptor is a descriptor with TLS. A goroutine does the handshake, on the connection below. Afterwards
// that connection is closed. The [tls.Conn] then reads from the descriptor as long as data is there, and writes into
// the group's buffer, which is sent after each call.
type secure struct {
	descriptor
	tls    *tls.Conn
	shakes *link  // in the handshake: the connection is blocked, and the watch pauses
	rest   []byte // encrypted, and not handed to the system
	plain  int    // bytes that Write has accepted and that rest is the last part of
	kept   []byte // decrypted during a pause
	short  bool   // the last read from the descriptor had room for more
	more   bool   // there may be something in tls to read
	queued bool   // resume is
	shut   bool   // rest is the last
}

// adoptTLS makes c a connection of t. The descriptor is registered before the handshake, since a loop that drains registers none.
func adoptTLS(c *Conn, t *tls.Conn, l *link) error {
	fd, err := duplicate(l.Conn)
	if err != nil {
		return err
	}
	s := &secure{descriptor: descriptor{c: c, fd: fd}, tls: t, shakes: l}
	c.wire = s
	if err := s.open(s.ready); err != nil {
		return err
	}
	if c.blocked = true; t.ConnectionState().HandshakeComplete {
		s.take()
		return nil
	}
	go func() {
		err := t.Handshake()                                    // ends when the link is closed
		_ = c.loop.SubmitInternal(func() { s.handshaken(err) }) // refused when the loop has ended, which closes the link
	}()
	return nil
}

func (s *secure) handshaken(err error) {
	switch {
	case s.c.closed:
	case err != nil:
		s.c.Fail(fmt.Errorf("loopnet: handshake: %w", err))
	default:
		s.take()
		s.c.writable()
	}
}

// take lets the loop go on after the handshake.
func (s *secure) take() {
	_ = s.shakes.Conn.Close() // an error is no fault of the duplicate, which is open
	s.shakes.loop, s.shakes = s, nil
	s.more, s.c.blocked = true, false
	if err := s.reading(); err != nil {
		s.c.Fail(err)
	}
}

// Read is the link's: it reads from the descriptor without waiting. After a short read there is as a rule nothing, and the loop would
// report it.
func (s *secure) Read(p []byte) (int, error) {
	if s.short {
		return 0, errDry
	}
	n, err := unix.Read(s.fd, p)
	switch {
	case err == unix.EAGAIN || err == unix.EINTR:
		s.short = true
		return 0, errDry
	case err != nil:
		return 0, err
	case n == 0:
		return 0, io.EOF
	}
	s.short = n < len(p)
	return n, nil
}

// Write is the link's: it gets records.
func (s *secure) Write(p []byte) (int, error) {
	g := s.c.group
	g.sealed = append(g.sealed, p...)
	return len(p), nil
}

func (s *secure) ready(e eventloop.IOEvents) {
	if s.shakes != nil { // a hang-up, which the handshake sees too
		return
	}
	if e&eventloop.EventWrite != 0 {
		if err := s.push(); err != nil {
			s.c.broken = true
			s.c.Fail(err)
		} else if len(s.rest) > 0 {
			e &^= eventloop.EventWrite
		} else if err := s.reading(); err != nil {
			s.c.Fail(err)
		}
	}
	s.descriptor.ready(e)
}

// receive decrypts the data that has come, and delivers it together.
func (s *secure) receive() {
	c := s.c
	buf := buffers.Get().(*[32 << 10]byte)
	defer buffers.Put(buf)
	n, err := 0, error(nil)
	for s.short = false; err == nil && n < len(buf); {
		var k int
		k, err = s.tls.Read(buf[n:])
		n += k
	}
	s.more = err == nil
	if failed := s.push(); failed != nil && (err == nil || err == errDry) { // answers of TLS
		err = failed
	}
	defer s.received(err) // also if a callback panics
	switch {
	case n == 0:
	case c.onData == nil:
		c.unread = true
		s.kept = append([]byte(nil), buf[:n]...)
	default:
		s.more = s.more || err == io.EOF // the end comes after the callback's microtasks, and tls reports it again
		c.received(buf[:n])
	}
}

func (s *secure) received(err error) {
	c := s.c
	switch {
	case c.closed:
		return
	case err == nil, err == errDry, s.more:
	case err == io.EOF && !c.wants():
		s.more = true
	case err == io.EOF:
		c.endOfStream()
		return
	default:
		c.Fail(fmt.Errorf("loopnet: read: %w", err))
		return
	}
	if err := s.reading(); err != nil {
		c.Fail(err)
	}
}

// reading also has the loop read the data in tls, which the system does not report.
func (s *secure) reading() error {
	if s.shakes != nil {
		return nil
	}
	if !s.c.wants() || len(s.rest) >= clogged {
		return s.change(s.events &^ eventloop.EventRead)
	}
	if (s.more || s.kept != nil) && !s.queued {
		s.queued = true
		if err := s.c.loop.SubmitInternal(s.resume); err != nil {
			return err
		}
	}
	return s.change(s.events | eventloop.EventRead)
}

func (s *secure) resume() {
	s.queued = false
	if !s.c.wants() {
		return
	}
	if p := s.kept; p != nil && s.c.onData != nil {
		s.kept = nil
		defer s.received(errDry)
		s.c.received(p)
		return
	}
	s.receive()
}

// write encrypts as much as the system takes at once.
func (s *secure) write(o *output) error {
	for o.size > 0 && len(s.rest) == 0 {
		p := s.c.group.next(o)
		if _, err := s.tls.Write(p); err != nil {
			return fmt.Errorf("loopnet: write: %w", err)
		}
		s.plain = len(p)
		o.sent(len(p))
		if err := s.push(); err != nil {
			return err
		}
	}
	return nil
}

// next returns the first bytes of o, a record at most.
func (g *group) next(o *output) []byte {
	first := o.pieces[o.first].p
	if len(first) >= recordMost {
		return first[:recordMost]
	}
	if len(first) == o.size {
		return first
	}
	g.joined = o.appendTo(g.joined[:0], recordMost)
	return g.joined
}

// push sends the encrypted data. Data that the system does not take waits in memory of the connection's own.
func (s *secure) push() error {
	g := s.c.group
	p, own := g.sealed, len(s.rest) > 0
	if own {
		s.rest = append(s.rest, p...)
		p = s.rest
	}
	g.sealed = g.sealed[:0]
	for len(p) > 0 {
		n, err := unix.Write(s.fd, p)
		if err == unix.EINTR {
			continue
		}
		if err != nil && err != unix.EAGAIN {
			return fmt.Errorf("loopnet: write: %w", err)
		}
		n = max(n, 0)
		if n > 0 {
			s.c.active(sent)
		}
		if p = p[n:]; len(p) > 0 { // it is full
			if s.rest = p; !own {
				s.rest = append([]byte(nil), p...)
			}
			return s.change(s.events | eventloop.EventWrite)
		}
	}
	s.rest, s.plain = nil, 0
	if s.shut {
		return s.descriptor.closeWrite()
	}
	return nil
}

func (s *secure) busy() int { return s.plain }

// closeWrite notifies the other side of the end of our data.
func (s *secure) closeWrite() error {
	if err := s.tls.CloseWrite(); err != nil {
		return fmt.Errorf("loopnet: shutdown: %w", err)
	}
	s.shut = true
	err := s.push()
	s.c.blocked = len(s.rest) > 0
	return err
}

// close says so too, unless something is missing before the end.
func (s *secure) close() {
	if s.shakes != nil {
		_ = s.shakes.Conn.Close()
		s.descriptor.close()
		return
	}
	if _, lost := s.c.reason.(*UnsentError); !lost && len(s.rest) == 0 && !s.shut {
		_ = s.tls.CloseWrite()
		_, _ = unix.Write(s.fd, s.c.group.sealed)
	}
	s.c.group.sealed = s.c.group.sealed[:0]
	s.descriptor.close()
}
