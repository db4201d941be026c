package loopnet

import (
	"context"
	"net"
	"sync"

	"github.com/eventloop-go/eventloop"
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
}

// Listen listens as [net.Listen] does, for TCP and Unix sockets. It calls handle on the loop with each connection, whose
// callbacks are to be set then. If handle panics, the connection is closed.
//
// When the process has no descriptor left for a connection, it waits in the system until one is closed.
func Listen(loop *eventloop.Loop, network, address string, handle func(*Conn)) (*Listener, error) {
	if handle == nil {
		return nil, eventloop.ErrNilCallback
	}
	n, err := net.Listen(network, address)
	if err != nil {
		return nil, err
	}
	l := &Listener{loop: loop, net: n, group: groupOf(loop), handle: handle}
	err = l.accept()
	if err == nil && !l.group.listen(l) {
		err = ErrLoopEnded
	}
	if err != nil {
		_ = l.Close()
		return nil, err
	}
	return l, nil
}

// begin calls handle with a connection, and closes that if handle panics: nobody else would.
func (l *Listener) begin(c *Conn) {
	begun := false
	defer func() {
		if !begun {
			c.Close()
		}
	}()
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
		l.group.forget(l)
	})
	return l.err
}

// Dial connects as [net.Dialer.DialContext] does, and fulfils a promise with the connection.
func Dial(ctx context.Context, loop *eventloop.Loop, network, address string) *promise.Promise[*Conn] {
	dialled := promise.Promisify(ctx, loop, func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, address)
	})
	return promise.Then(dialled, func(n net.Conn) (*Conn, error) { return New(loop, n) })
}

// New puts a connection on the loop that it is called on. It belongs to the Conn from then on, also if there is an error.
func New(loop *eventloop.Loop, conn net.Conn) (*Conn, error) {
	c := &Conn{loop: loop, highWater: DefaultHighWater}
	if err := adopt(c, conn); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return c, nil
}
