package loopnet

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"strings"
	"time"

	"github.com/eventloop-go/eventloop"
)

var errNoCertificate = errors.New("loopnet: the TLS configuration has no certificate; set Certificates, GetCertificate or GetConfigForClient")

// ServeTLS is [Serve] with TLS: handle gets a connection as soon as it is accepted. A goroutine does the handshake. Afterwards the
// connection is a descriptor of the loop, like one without TLS, and encryption and decryption run on the loop.
//
// Data that is written before the end of the handshake waits for it. A handshake has no limit except the time-outs
// that handle sets: only decrypted data counts as received. If the handshake fails, OnClose gets the reason.
//
// A turn's output to a connection is encrypted together, in records of up to 16 KiB. A record that was sent in part counts as unsent.
// Close sends TLS's close_notify if everything before it was sent. End sends it, and closes the direction of the socket too.
//
// Goroutines serve a listener with other connections than [*net.TCPConn] and [*net.UnixConn], as [New] says.
func ServeTLS(loop *eventloop.Loop, n net.Listener, config *tls.Config, handle func(*Conn)) (*Listener, error) {
	if config == nil || len(config.Certificates) == 0 && config.GetCertificate == nil && config.GetConfigForClient == nil {
		_ = n.Close()
		return nil, errNoCertificate
	}
	return Serve(loop, tls.NewListener(linking{n}, config), handle)
}

// A linking listener has a link below the TLS of its connections.
type linking struct{ net.Listener }

func (l linking) Accept() (net.Conn, error) {
	n, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return linked(n), nil
}

// A link is the connection below a [tls.Conn]. During the handshake it blocks, as the connection that it wraps does. Afterwards the loop
// has the descriptor, and the link is its: reads and writes do not wait.
type link struct {
	net.Conn // closed after the handshake
	loop     interface {
		Read(p []byte) (int, error)
		Write(p []byte) (int, error)
	}
}

// linked puts a link on a connection that the loop can take over.
func linked(n net.Conn) net.Conn {
	switch n.(type) {
	case *net.TCPConn, *net.UnixConn:
		return &link{Conn: n}
	}
	return n
}

func (l *link) Read(p []byte) (int, error) {
	if l.loop != nil {
		return l.loop.Read(p)
	}
	return l.Conn.Read(p)
}

func (l *link) Write(p []byte) (int, error) {
	if l.loop != nil {
		return l.loop.Write(p)
	}
	return l.Conn.Write(p)
}

// SetWriteDeadline is for Close and CloseWrite of [tls.Conn], which do not wait on the loop.
func (l *link) SetWriteDeadline(t time.Time) error {
	if l.loop != nil {
		return nil
	}
	return l.Conn.SetWriteDeadline(t)
}

// errDry ends a read when nothing more has come. [tls.Conn] goes on after it, since it is temporary.
var errDry error = dry{}

type dry struct{}

func (dry) Error() string   { return "loopnet: nothing more has come" }
func (dry) Timeout() bool   { return true }
func (dry) Temporary() bool { return true }

// A linkDialer is a [tls.Dialer] with a link below TLS.
type linkDialer struct{ *tls.Dialer }

func (d linkDialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	below := d.NetDialer
	if below == nil {
		below = new(net.Dialer)
	}
	if below.Timeout > 0 { // its limits hold for the handshake too
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, below.Timeout)
		defer cancel()
	}
	if !below.Deadline.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, below.Deadline)
		defer cancel()
	}
	n, err := below.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	config := d.Config
	if config == nil {
		config = new(tls.Config)
	}
	if config.ServerName == "" {
		host := address
		if colon := strings.LastIndexByte(address, ':'); colon >= 0 {
			host = address[:colon]
		}
		config = config.Clone()
		config.ServerName = host
	}
	c := tls.Client(linked(n), config)
	if err := c.HandshakeContext(ctx); err != nil {
		_ = n.Close()
		return nil, err
	}
	return c, nil
}

// onLink returns a dialer whose connections the loop can take over. A client that agrees to renegotiate has to be able to wait.
func onLink(d Dialer) Dialer {
	if t, ok := d.(*tls.Dialer); ok && t != nil && (t.Config == nil || t.Config.Renegotiation == tls.RenegotiateNever) {
		return linkDialer{t}
	}
	return d
}
