package loopsim

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"syscall"
	"time"

	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/stream"
	"github.com/eventloop-go/eventloop/loopnet"
	"github.com/eventloop-go/eventloop/promise"
)

// A link is the way from one machine to another.
type link struct {
	cut  int   // how many faults cut it
	slow int64 // how many times as slow it is; 0 means once
	free int64 // when the last byte has left
}

// link returns the way from one machine to another.
func (w *World) link(from, to *machine) *link { return w.links[from.id][to.id] }

// delay is how long n bytes take from now on.
func (m *machine) delay(to *machine, from int64, n int) (arrives int64) {
	w := m.w
	l, c := w.link(m, to), &w.cfg.Network
	leaves := max(from, l.free)
	if c.Bandwidth > 0 {
		leaves += int64(n) * int64(time.Second) / c.Bandwidth
	}
	l.free = leaves
	d := int64(c.Latency) + m.wire.below(int64(c.Jitter))
	if m == to {
		d = int64(c.Latency) / 20
	}
	return leaves + d*max(l.slow, 1)
}

// reaches reports whether something that is sent now arrives.
func (m *machine) reaches(to *machine) bool { return m.w.link(m, to).cut == 0 && !to.down }

// Cut lets nothing through from one host to another any more, until Join: a partition of one direction. Connections notice it only by
// their silence, and fail after [Network.Timeout] if they have something to send.
func (w *World) Cut(from, to string) { w.link(w.named(from), w.named(to)).cut++ }

// Join takes one Cut back.
func (w *World) Join(from, to string) {
	l := w.link(w.named(from), w.named(to))
	l.cut = max(l.cut-1, 0)
}

// isolate cuts a host off from all others, both ways, or ends that.
func (w *World) isolate(m *machine, by int) {
	for _, other := range w.machines {
		if other != m {
			w.link(m, other).cut += by
			w.link(other, m).cut += by
		}
	}
}

// Reset resets all connections between two hosts.
func (w *World) Reset(a, b string) { w.reset(w.named(a), w.named(b)) }

func (w *World) reset(a, b *machine) {
	if a.host == nil {
		return
	}
	for _, c := range a.host.conns {
		if c.peer.h.machine == b {
			c.fail(syscall.ECONNRESET)
			c.peer.fail(syscall.ECONNRESET)
		}
	}
}

// Network is the network as a host sees it. It is a [loopnet.Dialer], and makes listeners for [loopnet.Serve]. Addresses are names of
// hosts with a port, such as "store:80". Its connections are net.Conns too, which may be read and written in functions of
// promise.Promisify.
type Network struct{ h *Host }

// Network returns the network.
func (h *Host) Network() Network { return h.net }

// Listen serves connections to a port of the host, as [loopnet.Listen] does.
func (h *Host) Listen(port int, handle func(*loopnet.Conn)) (*loopnet.Listener, error) {
	l, err := h.net.Listen("tcp", ":"+strconv.Itoa(port))
	if err != nil {
		return nil, err
	}
	return loopnet.Serve(h.loop, l, handle)
}

// Dial connects to a port of a host, such as "store:80", as [loopnet.Dial] does.
func (h *Host) Dial(ctx context.Context, address string) *promise.Promise[*loopnet.Conn] {
	return loopnet.DialWith(ctx, h.loop, h.net, "tcp", address)
}

// An address is that of a side of a connection.
type address struct {
	host string
	port int
}

func (a address) Network() string { return "tcp" }
func (a address) String() string  { return a.host + ":" + strconv.Itoa(a.port) }

// resolve finds out what an address means.
func (w *World) resolve(network, s string) (*machine, int, error) {
	if network != "tcp" {
		return nil, 0, &net.OpError{Op: "dial", Net: network, Err: net.UnknownNetworkError(network + ": the simulated network has tcp only")}
	}
	name, service, err := net.SplitHostPort(s)
	if err != nil {
		return nil, 0, err
	}
	port, err := strconv.Atoi(service)
	if err != nil || port < 0 || port > 65535 {
		return nil, 0, &net.AddrError{Err: "port must be a number below 65536", Addr: s}
	}
	if name == "" {
		return nil, port, nil
	}
	m := w.machine(name)
	if m == nil {
		return nil, 0, &net.DNSError{Err: "no such host in this world", Name: name, IsNotFound: true}
	}
	return m, port, nil
}

// Listen listens on a port of the host. The address is ":80", or has the host's own name.
func (n Network) Listen(network, addr string) (net.Listener, error) {
	h := n.h
	m, port, err := h.w.resolve(network, addr)
	switch {
	case err != nil:
		return nil, err
	case h.dead:
		return nil, crash{h.Name()}
	case m != nil && m != h.machine:
		return nil, fmt.Errorf("loopsim: listen %s: it is not an address of %s", addr, h.Name())
	case h.machine.listeners[port] != nil:
		return nil, &net.OpError{Op: "listen", Net: network, Addr: address{h.Name(), port}, Err: syscall.EADDRINUSE}
	}
	l := &listener{h: h, addr: address{h.Name(), port}}
	h.machine.listeners[port] = l
	return l, nil
}

// A listener hands connections over.
type listener struct {
	h       *Host
	addr    address
	accept  func(net.Conn) // on the loop; nil if Accept is called
	waiting []*conn
	waiter  *task
	number  int
	closed  bool
}

var _ stream.Listener = (*listener)(nil)

func (l *listener) Addr() net.Addr { return l.addr }

// OnAccept is stream.Listener.OnAccept.
func (l *listener) OnAccept(fn func(net.Conn)) { l.accept = fn }

// Accept waits for a connection, in a blocking call.
func (l *listener) Accept() (net.Conn, error) {
	t, err := l.h.blocking()
	if err != nil {
		return nil, err
	}
	for len(l.waiting) == 0 {
		if l.closed || l.h.dead {
			return nil, &net.OpError{Op: "accept", Net: "tcp", Addr: l.addr, Err: net.ErrClosed}
		}
		l.waiter, l.number = t, t.wait
		t.park()
		l.waiter = nil
	}
	c := l.waiting[0]
	l.waiting = l.waiting[1:]
	return c, nil
}

func (l *listener) Close() error {
	if l.closed {
		return net.ErrClosed
	}
	l.closed = true
	if l.h.machine.listeners[l.addr.port] == l && !l.h.dead {
		delete(l.h.machine.listeners, l.addr.port)
	}
	for _, c := range l.waiting {
		_ = c.Close()
	}
	l.waiting = nil
	l.wake()
	return nil
}

func (l *listener) wake() {
	if t := l.waiter; t != nil {
		n := l.number
		l.h.w.at(l.h.w.now, func() { t.resume(n) })
	}
}

// offer hands a connection over.
func (l *listener) offer(c *conn) {
	if l.accept != nil {
		_ = l.h.loop.SubmitInternal(func() { l.accept(c) }) // refused by a loop that is ending, whose connections end too
		return
	}
	l.waiting = append(l.waiting, c)
	l.wake()
}

// A dial is an attempt to connect.
type dial struct {
	h      *Host
	to     *machine
	addr   address
	t      *task
	number int
	tries  int
	began  int64
	over   bool
	conn   *conn
	err    error
}

// DialContext connects, in a function of promise.Promisify. [Host.Dial] is for callbacks.
func (n Network) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	h := n.h
	t, err := h.blocking()
	if err != nil {
		return nil, err
	}
	to, port, err := h.w.resolve(network, addr)
	if err != nil {
		return nil, err
	}
	if to == nil {
		to = h.machine
	}
	d := &dial{h: h, to: to, addr: address{to.name, port}, t: t, began: h.local()}
	stop := h.afterContext(ctx, func() { d.end(nil, inside.ContextError(ctx)) })
	d.send()
	for !d.over {
		d.number = t.wait
		t.park()
	}
	stop()
	if d.err != nil {
		return nil, &net.OpError{Op: "dial", Net: network, Addr: d.addr, Err: d.err}
	}
	return d.conn, nil
}

// end settles the attempt.
func (d *dial) end(c *conn, err error) {
	if d.over {
		if c != nil {
			_ = c.Close()
		}
		return
	}
	d.over, d.conn, d.err = true, c, err
	d.t.resume(d.number)
}

// send sends the first packet, and again when nothing comes back.
func (d *dial) send() {
	w, from := d.h.w, d.h.machine
	if d.over || d.h.dead {
		return
	}
	if time.Duration(w.now-d.began) >= w.cfg.Network.DialTimeout {
		d.end(nil, syscall.ETIMEDOUT)
		return
	}
	if from.reaches(d.to) {
		w.at(from.delay(d.to, d.h.local(), 60), d.arrive)
		return
	}
	d.again()
}

func (d *dial) again() {
	d.tries++
	d.h.w.at(d.h.w.now+int64(time.Second)<<min(d.tries-1, 4), d.send)
}

// arrive is the first packet at the other side.
func (d *dial) arrive() {
	w, from, to := d.h.w, d.h.machine, d.to
	if d.over || d.h.dead {
		return
	}
	if !from.reaches(to) || to.host == nil && to.down || !to.reaches(from) {
		d.again()
		return
	}
	back := to.delay(from, w.now, 60)
	if to.host == nil || to.listeners[d.addr.port] == nil {
		w.at(back, func() { d.end(nil, syscall.ECONNREFUSED) })
		return
	}
	l := to.listeners[d.addr.port]
	from.port++
	ours, theirs := w.connect(d.h, l.h, address{from.name, 40000 + from.port%20000}, d.addr)
	w.record(entry{at: w.now, kind: kindConn, host: from.id, peer: to.id}, "#%d to %s", ours.id, d.addr)
	l.offer(theirs)
	w.at(back, func() {
		if d.h.dead {
			return
		}
		d.end(ours, nil)
	})
}
