package loopnet

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/big"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// running returns a loop that runs until the test ends, when it must shut down cleanly.
func running(t testing.TB, opts ...eventloop.Option) *eventloop.Loop {
	t.Helper()
	return testkit.Running(t, eventloop.New(opts...))
}

// secret begins the addresses of servers that speak TLS.
const secret = "tls:"

// onWires runs a test with each kind of connection: serve puts the server's side of new connections on the loop.
func onWires(t *testing.T, test func(t *testing.T, serve func(loop *eventloop.Loop, handle func(*Conn)) (address string))) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			test(t, func(loop *eventloop.Loop, handle func(*Conn)) string {
				n, err := net.Listen("tcp", "127.0.0.1:0")
				testkit.Must(t, err)
				l, err := k.serve(loop, n, handle)
				testkit.Must(t, err)
				t.Cleanup(func() { testkit.Must(t, l.Close()) })
				return k.prefix + n.Addr().String()
			})
		})
	}
}

// kinds are the ways in which a connection reaches the loop.
var kinds = []struct {
	name   string
	serve  func(loop *eventloop.Loop, n net.Listener, handle func(*Conn)) (*Listener, error)
	prefix string
}{
	{"system", Serve, ""},
	{"goroutines", func(loop *eventloop.Loop, n net.Listener, handle func(*Conn)) (*Listener, error) {
		return Serve(loop, wrapping{n}, handle)
	}, ""},
	{"TLS", func(loop *eventloop.Loop, n net.Listener, handle func(*Conn)) (*Listener, error) {
		config, _ := certified()
		return ServeTLS(loop, n, config, handle)
	}, secret},
}

// wrapping accepts connections that are used through their own methods.
type wrapping struct{ net.Listener }

type wrapped struct{ *net.TCPConn }

func (l wrapping) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return wrapped{c.(*net.TCPConn)}, nil
}

// A peer is the other side of a connection, with or without TLS.
type peer struct {
	net.Conn
	tcp *net.TCPConn
}

func (p peer) CloseWrite() error           { return p.Conn.(interface{ CloseWrite() error }).CloseWrite() }
func (p peer) SetLinger(seconds int) error { return p.tcp.SetLinger(seconds) }

// reset closes the connection with an error for the other side.
func (p peer) reset() error {
	if err := p.tcp.SetLinger(0); err != nil {
		return err
	}
	return p.tcp.Close()
}

// dial connects to an address; reads and writes end in time.
func dial(t testing.TB, address string) peer {
	t.Helper()
	p, err := connect(address)
	testkit.Must(t, err)
	t.Cleanup(func() { _ = p.tcp.Close() })
	return p
}

// readEnd connects to a server that ends connections at once, also in a handshake, and returns the data before the
// end.
func readEnd(t testing.TB, address string) string {
	t.Helper()
	p, err := connect(address)
	if p.tcp == nil || err != nil && !strings.HasPrefix(address, secret) {
		t.Fatal(err)
	}
	defer p.tcp.Close()
	got := []byte(nil)
	if err == nil {
		got, err = io.ReadAll(p)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the connection stays open: %v", err)
	}
	return string(got)
}

func connect(address string) (p peer, err error) {
	address, isSecret := strings.CutPrefix(address, secret)
	n, err := net.DialTimeout("tcp", address, testkit.Patience)
	if err != nil {
		return p, err
	}
	if p = (peer{n, n.(*net.TCPConn)}); isSecret {
		_, config := certified()
		config.ServerName = "127.0.0.1"
		c := tls.Client(n, config)
		p.Conn = c
		_ = n.SetDeadline(time.Now().Add(testkit.Patience))
		if err := c.Handshake(); err != nil {
			_ = n.Close()
			return p, err
		}
	}
	return p, p.SetDeadline(time.Now().Add(testkit.Patience))
}

// certified returns the configurations of a server and its clients.
var certified = func() func() (server, client *tls.Config) {
	once := sync.OnceValue(func() [2]*tls.Config {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			panic(err)
		}
		template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(24 * time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
		raw, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
		if err != nil {
			panic(err)
		}
		parsed, err := x509.ParseCertificate(raw)
		if err != nil {
			panic(err)
		}
		roots := x509.NewCertPool()
		roots.AddCert(parsed)
		return [2]*tls.Config{{Certificates: []tls.Certificate{{Certificate: [][]byte{raw}, PrivateKey: key}}}, {RootCAs: roots}}
	})
	return func() (server, client *tls.Config) { c := once(); return c[0].Clone(), c[1].Clone() }
}()

func readAll(t testing.TB, r io.Reader) string {
	t.Helper()
	p, err := io.ReadAll(r)
	testkit.Must(t, err)
	return string(p)
}

func writeText(t testing.TB, w io.Writer, text string) {
	t.Helper()
	_, err := io.WriteString(w, text)
	testkit.Must(t, err)
}
