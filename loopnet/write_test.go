package loopnet

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net"
	"sync/atomic"
	"testing"

	"github.com/eventloop-go/eventloop/internal/testkit"
)

// A counted connection counts the calls of its methods.
type counted struct {
	net.Conn
	reads, writes, closes *atomic.Int64
}

func (c counted) Read(p []byte) (int, error)  { c.reads.Add(1); return c.Conn.Read(p) }
func (c counted) Write(p []byte) (int, error) { c.writes.Add(1); return c.Conn.Write(p) }
func (c counted) Close() error                { c.closes.Add(1); return c.Conn.Close() }

// connected returns both sides of a connection.
func connected(t testing.TB) (server, client net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.Must(t, err)
	defer l.Close()
	client = dial(t, l.Addr().String())
	server, err = l.Accept()
	testkit.Must(t, err)
	return server, client
}

func TestAConnectionOfAnotherTypeIsUsedByItsOwnMethodsAndWrittenOnceATurn(t *testing.T) {
	loop := running(t)
	server, client := connected(t)
	n := counted{server, new(atomic.Int64), new(atomic.Int64), new(atomic.Int64)}
	closed := make(chan error, 1)
	testkit.On(t, loop, func() {
		c, err := New(loop, n)
		testkit.Must(t, err)
		c.OnClose(func(err error) { closed <- err })
		for range 100 {
			c.Write([]byte("x"))
			c.WriteShared([]byte("y"))
		}
		c.End() // without a CloseWrite, the only end is that of all
	})
	if got := readAll(t, client); len(got) != 200 {
		t.Errorf("got %d bytes", len(got))
	}
	testkit.Must(t, testkit.Await(t, "close", closed))
	if r, w := n.reads.Load(), n.writes.Load(); r == 0 || w != 1 {
		t.Errorf("read by %d calls and written by %d", r, w)
	}
}

func TestBytesArriveInTheOrderOfWritesOfAnyKindAndSize(t *testing.T) {
	onWires(t, func(t *testing.T, serve server) {
		waits := 0
		for seed := range uint64(3) {
			random, bytesOf := rand.New(rand.NewPCG(seed, 0)), rand.NewChaCha8([32]byte{byte(seed)})
			var want bytes.Buffer
			full := make(chan bool, 1)
			address := serve(running(t), func(c *Conn) {
				waited := false
				for range 600 {
					p := make([]byte, random.IntN(3<<(1+random.IntN(16))))
					_, _ = bytesOf.Read(p)
					want.Write(p)
					var more bool
					switch random.IntN(3) {
					case 0:
						more = c.Write(p)
						clear(p) // it is the caller's again
					case 1:
						more = c.WriteShared(p)
					default:
						more = c.WriteShared(p)
						c.Flush()
					}
					waited = waited || !more
				}
				full <- waited
				c.End()
			})
			c := dial(t, address)
			if testkit.Await(t, "writes", full) {
				waits++
			}
			got, err := io.ReadAll(c)
			testkit.Must(t, err)
			testkit.Must(t, c.Close())
			if !bytes.Equal(got, want.Bytes()) {
				t.Fatalf("seed %d: %d bytes came of %d, or others", seed, len(got), want.Len())
			}
		}
		if waits == 0 {
			t.Error("no connection was slow enough to be asked for a pause")
		}
	})
}

func TestWriteReportsFalseAfterTheEnd(t *testing.T) {
	onWires(t, func(t *testing.T, serve server) {
		results := make(chan []bool, 1)
		readEnd(t, serve(running(t), func(c *Conn) {
			r := []bool{c.Write([]byte("a")), c.WriteFrame(nil)}
			c.End()
			r = append(r, c.Write([]byte("b")), c.WriteShared([]byte("b")), c.WriteFrame([]byte("b")), c.Write(nil))
			c.Close()
			results <- append(r, c.Write([]byte("b")), c.WriteShared([]byte("b")), c.Write(nil))
		}))
		for i, ok := range testkit.Await(t, "writes", results) {
			if ok != (i < 2) {
				t.Errorf("write %d reports %v", i, ok)
			}
		}
	})
}

func TestWithoutRoomToWaitEachWriteReportsWhetherItWasTaken(t *testing.T) {
	onWires(t, func(t *testing.T, serve server) {
		const size = 8 << 20
		c := dial(t, serve(running(t), func(c *Conn) {
			c.SetHighWater(0)
			n := 0
			send := func() {
				for n < size {
					n += 1000
					if !c.Write(make([]byte, 1000)) {
						return
					}
				}
				c.End()
			}
			c.OnDrain(send)
			send()
		}))
		if n, err := io.Copy(io.Discard, c); n < size || err != nil {
			t.Errorf("%d bytes came: %v", n, err)
		}
	})
}

func TestAFrameThatItsLengthCannotTellIsRefused(t *testing.T) {
	for n, want := range map[uint64]bool{0: true, 1<<32 - 1: true, 1 << 32: false, 1<<40 + 5: false} {
		if _, ok := frameHead(n); ok != want {
			t.Errorf("a frame of %d bytes is accepted: %v", n, ok)
		}
	}
}

func TestALargeFrameComesWhole(t *testing.T) {
	onWires(t, func(t *testing.T, serve server) {
		frame := bytes.Repeat([]byte("frame"), 200_000)
		c := dial(t, serve(running(t), func(c *Conn) {
			c.OnFrames(len(frame), func(p []byte) {
				c.WriteFrame(p)
				c.WriteFrame(p[:3])
				c.End()
			})
		}))
		head, _ := frameHead(uint64(len(frame)))
		sent := append(head[:], frame...)
		go func() { _, _ = c.Write(sent) }()
		if got := readAll(t, c); got != string(sent)+"\x00\x00\x00\x03fra" {
			t.Errorf("%d bytes came back, or others", len(got))
		}
	})
}
