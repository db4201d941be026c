package loopnet

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/promise"
)

// A Listener accepts connections on a loop. While it is open it keeps a loop with eventloop.WithAutoExit open.
type Listener struct {
	loop   *eventloop.Loop
	net    net.Listener
	group  *group
	handle func(*Conn)
	stop   func() // ends accepting
	once   sync.Once
	err    error
	closed bool // under the group's lock

	// The loop's.
	n       int             // connections
	waiters []chan struct{} // to be closed when n is 0
}

// Listen listens as [net.Listen] does, for TCP and Unix sockets, and serves as [Serve] does.
func Listen(loop *eventloop.Loop, network, address string, handle func(*Conn)) (*Listener, error) {
	n, err := net.Listen(network, address)
	if err != nil {
		return nil, err
	}
	return Serve(loop, n, handle)
}

// Serve accepts connections from a listener, which is its own from then on, also if there is an error. It calls handle on the loop
// with each connection, whose callbacks are to be set then. If handle panics, the connection is closed.
//
// A listener of TCP or Unix sockets accepts on the loop, if it is of package net itself. When the process has no descriptor left
// for a connection, it waits in the system until one is closed. TCP keep-alives are on, as by default in package net. Any other listener, such as one of [crypto/tls.NewListener], has a
// goroutine, and its connections are as [New] says. [ServeTLS] is cheaper.
func Serve(loop *eventloop.Loop, n net.Listener, handle func(*Conn)) (*Listener, error) {
	l := &Listener{loop: loop, net: n, handle: handle}
	err := l.begin()
	if err != nil {
		_ = l.Close()
		return nil, err
	}
	return l, nil
}

func (l *Listener) begin() (err error) {
	if l.handle == nil {
		return inside.ErrNilCallback
	}
	if err := isStream(l.net.Addr()); err != nil {
		return err
	}
	if l.group, err = groupOf(l.loop); err != nil {
		return err
	}
	if err := l.accept(); err != nil {
		return err
	}
	if !l.group.listen(l) {
		return ErrLoopEnded
	}
	return nil
}

// isStream refuses sockets that preserve message boundaries: writes sent together would become one message.
func isStream(a net.Addr) error {
	if a != nil {
		switch a.Network() {
		case "unixpacket", "unixgram", "udp", "ip":
			return fmt.Errorf("loopnet: %s is no network of streams; use tcp or unix", a.Network())
		}
	}
	return nil
}

// accepted calls handle with a connection, and closes that if handle panics: nobody else would.
func (l *Listener) accepted(c *Conn) {
	begun := false
	defer func() {
		if !begun {
			c.Close()
		}
	}()
	l.n++
	c.listener = l
	l.handle(c)
	begun = true
}

// Addr is the address that is listened on.
func (l *Listener) Addr() net.Addr { return l.net.Addr() }

// Close stops listening. Connections stay open. Closing again returns the same error.
func (l *Listener) Close() error {
	l.once.Do(func() {
		if l.stop != nil {
			l.stop()
		}
		l.err = l.net.Close()
		if l.group != nil {
			l.group.forget(l)
		}
	})
	return l.err
}

// A Dialer connects, as [net.Dialer] and [crypto/tls.Dialer] do.
type Dialer interface {
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

// Dial connects as [net.Dialer.DialContext] does, and fulfils a promise with the connection. If ctx ends first, the error
// matches that of ctx and its cause. A connection that is there only when ctx or the loop has ended is closed.
func Dial(ctx context.Context, loop *eventloop.Loop, network, address string) *promise.Promise[*Conn] {
	return DialWith(ctx, loop, new(net.Dialer), network, address)
}

// DialWith is [Dial] with a dialer. With a [*crypto/tls.Dialer] the promise is fulfilled after the handshake, and the connection is a
// descriptor of the loop, as with [ServeTLS]. A configuration that agrees to renegotiation gets goroutines, as [New] says.
func DialWith(ctx context.Context, loop *eventloop.Loop, d Dialer, network, address string) *promise.Promise[*Conn] {
	d = onLink(d)
	view := inside.Of(loop)
	dialled := promise.Promisify(ctx, loop, func(ctx context.Context) (*handover, error) {
		n, err := d.DialContext(ctx, network, address)
		if err != nil {
			if cause := context.Cause(ctx); cause != nil && !errors.Is(err, cause) {
				err = fmt.Errorf("%w: %w", err, cause)
			}
			return nil, err
		}
		return &handover{n, view.AfterContext(view.Context(), func() { _ = n.Close() })}, nil
	})
	return promise.Then(dialled, func(h *handover) (*Conn, error) {
		switch {
		case !h.keep():
			return nil, ErrLoopEnded
		case ctx.Err() != nil:
			_ = h.conn.Close()
			return nil, inside.ContextError(ctx)
		}
		return New(loop, h.conn)
	})
}

// A handover is the way of a connection from the goroutine that has dialled to the loop. If the loop ends before that,
// the connection is closed, unless keep has returned true.
type handover struct {
	conn net.Conn
	keep func() bool
}

// New puts a connection on the loop that it is called on. It belongs to the Conn from then on, also if there is an error.
//
// A [*net.TCPConn] or [*net.UnixConn] is a descriptor of the loop, without a goroutine. Any other connection, such as
// a [*crypto/tls.Conn] or a type that embeds one of the two, is used through its own methods, by a reading and a
// writing goroutine. End calls its CloseWrite, or closes a connection without that method. Data that such a goroutine
// is about to write when the connection is closed counts as unsent.
func New(loop *eventloop.Loop, conn net.Conn) (*Conn, error) {
	c := &Conn{loop: loop, highWater: DefaultHighWater}
	err := isStream(conn.LocalAddr())
	if err == nil {
		err = adopt(c, conn)
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return c, nil
}
