package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math/big"
	"net"
	"testing"
	"time"
)

// patience bounds every wait. Nothing waits it out unless something hangs.
const patience = 30 * time.Second

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func TestEverybodyElseGetsWhatOneSays(t *testing.T) {
	for name, serve := range map[string]func(context.Context, net.Listener, *tls.Config) error{"loop": serve, "plain Go": servePlain(256)} {
		for _, secret := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				l, err := net.Listen("tcp", "127.0.0.1:0")
				must(t, err)
				address := l.Addr().String()
				var config *tls.Config
				if secret {
					config = certified()
				}
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				ended := make(chan error, 1)
				go func() { ended <- serve(ctx, l, config) }()

				var members []*bufio.ReadWriter
				for i := range 3 {
					c, err := dial(address, secret)
					must(t, err)
					defer c.Close()
					m := bufio.NewReadWriter(bufio.NewReader(c), bufio.NewWriter(c))
					members = append(members, m)
					if i == 0 {
						continue
					}
					say(t, m, "hello") // the others are there when they have it
					for _, other := range members[:i] {
						hear(t, other, "hello\n")
					}
				}
				say(t, members[0], "welcome")
				hear(t, members[1], "welcome\n")
				hear(t, members[2], "welcome\n")
				cancel()
				hear(t, members[0], "the room closes\n")
				if _, err := members[0].ReadByte(); err != io.EOF {
					t.Errorf("after the end: %v", err)
				}
				if err := <-ended; !errors.Is(err, context.Canceled) {
					t.Errorf("serve: %v", err)
				}
			})
		}
	}
}

func dial(address string, secret bool) (c net.Conn, err error) {
	if secret {
		c, err = tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true}) // what is tested is the room
	} else {
		c, err = net.Dial("tcp", address)
	}
	if err == nil {
		err = c.SetDeadline(time.Now().Add(patience))
	}
	return c, err
}

func say(t *testing.T, m *bufio.ReadWriter, line string) {
	t.Helper()
	_, err := m.WriteString(line + "\n")
	must(t, err)
	must(t, m.Flush())
}

func hear(t *testing.T, m *bufio.ReadWriter, want string) {
	t.Helper()
	if got, err := m.ReadString('\n'); got != want {
		t.Errorf("got %q instead of %q: %v", got, want, err)
	}
}

// certified is the configuration of a server with a certificate of its own.
func certified() *tls.Config {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		panic(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{raw}, PrivateKey: key}}}
}
