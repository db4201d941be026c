package loopnet

import (
	"crypto/tls"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/internal/testkit"
	"golang.org/x/sys/unix"
)

// full runs the test in a process whose descriptors may run out.
const full = "LOOPNET_FULL"

func TestConnectionsWaitForDescriptors(t *testing.T) {
	if os.Getenv(full) == "" {
		cmd := exec.CommandContext(testkit.Bounded(t), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		cmd.Env = append(os.Environ(), full+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return
	}
	testkit.Must(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 100, Max: 100}))
	onWires(t, func(t *testing.T, serve server) {
		address := serve(running(t), echo)
		exchange := func(p peer) {
			writeText(t, p, "x")
			_, err := io.ReadFull(p, make([]byte, 1))
			testkit.Must(t, err)
		}
		exchange(dial(t, address)) // opens what the process keeps
		var clients []int          // sockets for clients, made while there are descriptors
		for range 5 {
			fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
			testkit.Must(t, err)
			clients = append(clients, fd)
		}
		var filling []int
		for {
			fd, err := unix.Dup(1)
			if err != nil {
				break
			}
			filling = append(filling, fd)
		}
		to, err := net.ResolveTCPAddr("tcp", strings.TrimPrefix(address, secret))
		testkit.Must(t, err)
		for _, fd := range clients {
			testkit.Must(t, unix.Connect(fd, &unix.SockaddrInet4{Port: to.Port, Addr: [4]byte(to.IP.To4())}))
		}
		time.Sleep(3 * acceptPause) // the listener fails to accept, now and then
		testkit.CloseFDs(t, filling...)
		for _, fd := range clients {
			f := os.NewFile(uintptr(fd), "client")
			n, err := net.FileConn(f)
			testkit.Must(t, err)
			testkit.Must(t, f.Close())
			p := peer{n, n.(*net.TCPConn)}
			testkit.Must(t, p.SetDeadline(time.Now().Add(testkit.Patience)))
			if strings.HasPrefix(address, secret) {
				_, config := certified()
				config.ServerName = "127.0.0.1"
				p.Conn = tls.Client(n, config)
			}
			exchange(p)
			testkit.Must(t, p.Close())
		}
	})
}

// Each accept of a listener that was shut down fails. The loop does not turn for it.
func TestAListenerThatFailsDoesNotKeepTheLoopTurning(t *testing.T) {
	loop := running(t)
	n, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.Must(t, err)
	raw, err := n.(*net.TCPListener).SyscallConn()
	testkit.Must(t, err)
	l, err := Serve(loop, n, echo)
	testkit.Must(t, err)
	testkit.Must(t, raw.Control(func(fd uintptr) { _ = unix.Shutdown(int(fd), unix.SHUT_RDWR) }))
	turns := 0
	stop := inspect.Observe(loop, inspect.Phases, func(e inspect.Event) {
		if e.Type == inspect.PhaseBegan && e.Phase == inspect.PhasePoll {
			turns++
		}
	})
	defer stop()
	for range 1000 {
		testkit.On(t, loop, func() {})
	}
	testkit.On(t, loop, func() {
		if turns > 500 {
			t.Errorf("it was reported in %d turns of 1000", turns)
		}
	})
	testkit.Must(t, l.Close())
}

// A peer that vanishes without a word is noticed as package net notices it.
func TestAcceptedConnectionsAskWhetherTheOtherSideIsAlive(t *testing.T) {
	ours, _ := connected(t) // by package net
	want := askedAlive(t, ours)
	onWires(t, func(t *testing.T, serve server) {
		got := make(chan [5]int, 1)
		c := dial(t, serve(running(t), func(c *Conn) {
			switch w := c.wire.(type) {
			case *descriptor:
				got <- options(w.fd)
			case *secure:
				got <- options(w.fd)
			case *netWire:
				got <- askedAlive(t, w.net.(wrapped).TCPConn)
			}
		}))
		if got := testkit.Await(t, "connection", got); got != want {
			t.Errorf("keep-alive, idle, interval, count and no delay are %v, and those of package net %v", got, want)
		}
		_ = c.Close()
	})
}

func askedAlive(t *testing.T, c net.Conn) (got [5]int) {
	raw, err := c.(*net.TCPConn).SyscallConn()
	testkit.Must(t, err)
	testkit.Must(t, raw.Control(func(fd uintptr) { got = options(int(fd)) }))
	return got
}

func options(fd int) (got [5]int) {
	got[4], _ = unix.GetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY)
	got[0], _ = unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_KEEPALIVE)
	got[1], _ = unix.GetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_KEEPIDLE)
	got[2], _ = unix.GetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_KEEPINTVL)
	got[3], _ = unix.GetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_KEEPCNT)
	return got
}
