package echo

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// envServer names the server to run in this process.
const envServer = "EVENTLOOP_ECHO_SERVER"

const size = 64 // bytes of a message

func TestMain(m *testing.M) {
	name := os.Getenv(envServer)
	if name == "" {
		os.Exit(m.Run())
	}
	for _, s := range append(servers, rooms...) {
		if s.name == name {
			if err := s.serve(func(address string) {
				fmt.Println(address)
				go tellMemory()
			}); err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
		}
	}
	os.Exit(1)
}

// tellMemory answers each line on standard input with the resident memory in bytes, and ends the process at its end.
func tellMemory() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		debug.FreeOSMemory()
		statm, _ := os.ReadFile("/proc/self/statm")
		pages, _ := strconv.Atoi(strings.Fields(string(statm))[1])
		fmt.Println(pages * os.Getpagesize())
	}
	os.Exit(0)
}

// A process is a server.
type process struct {
	tb      testing.TB
	in      io.WriteCloser
	out     *bufio.Reader
	address string
}

func start(tb testing.TB, name string) *process {
	tb.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envServer+"="+name)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	must(tb, err)
	out, err := cmd.StdoutPipe()
	must(tb, err)
	must(tb, cmd.Start())
	tb.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	p := &process{tb: tb, in: in, out: bufio.NewReader(out)}
	p.address = p.line()
	return p
}

func (p *process) line() string {
	line, err := p.out.ReadString('\n')
	must(p.tb, err)
	return strings.TrimSpace(line)
}

func (p *process) memory() int {
	_, err := io.WriteString(p.in, "memory\n")
	must(p.tb, err)
	n, err := strconv.Atoi(p.line())
	must(p.tb, err)
	return n
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// A client has connections, each with a message under way at most.
type client struct {
	tb   testing.TB
	set  int
	fds  []int
	sent map[int]time.Time
	took []time.Duration
}

// connect opens n connections.
func connect(tb testing.TB, address string, n int) *client {
	tb.Helper()
	set, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	must(tb, err)
	c := &client{tb: tb, set: set, sent: map[int]time.Time{}}
	tb.Cleanup(func() {
		for _, fd := range append(c.fds, set) {
			_ = unix.Close(fd)
		}
	})
	host, err := net.ResolveTCPAddr("tcp", address)
	must(tb, err)
	to := &unix.SockaddrInet4{Port: host.Port, Addr: [4]byte(host.IP.To4())}
	for range n {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		must(tb, err)
		c.fds = append(c.fds, fd)
		must(tb, unix.Connect(fd, to))
		must(tb, unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1))
		must(tb, unix.EpollCtl(set, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)}))
	}
	return c
}

// exchange sends messages until so many have been answered.
func (c *client) exchange(messages int) {
	message, got := bytes.Repeat([]byte("eventloop"), size)[:size], make([]byte, 2*size)
	left := messages
	send := func(fd int) {
		if left == 0 {
			return
		}
		left--
		c.sent[fd] = time.Now()
		if n, err := unix.Write(fd, message); n != size {
			c.tb.Fatalf("wrote %d bytes: %v", n, err)
		}
	}
	for _, fd := range c.fds {
		send(fd)
	}
	events := make([]unix.EpollEvent, 1024)
	for answered := 0; answered < messages; {
		n, err := unix.EpollWait(c.set, events, -1)
		if err == unix.EINTR {
			continue
		}
		must(c.tb, err)
		for _, ev := range events[:n] {
			fd := int(ev.Fd)
			n, err := unix.Read(fd, got)
			if n != size || !bytes.Equal(got[:n], message) {
				c.tb.Fatalf("%d bytes came back, equal: %v: %v", n, bytes.Equal(got[:max(n, 0)], message), err)
			}
			c.took = append(c.took, time.Since(c.sent[fd]))
			answered++
			send(fd)
		}
	}
}

// quantile is a quantile of the time from a message to its answer.
func (c *client) quantile(q float64) time.Duration {
	slices.Sort(c.took)
	return c.took[min(int(q*float64(len(c.took))), len(c.took)-1)]
}

func TestEveryServerSendsBackWhatItGets(t *testing.T) {
	for _, s := range servers {
		t.Run(s.name, func(t *testing.T) {
			connect(t, start(t, s.name).address, 20).exchange(2000)
		})
	}
}

// BenchmarkEcho has 1,000 connections, and a message of 64 bytes under way on each.
func BenchmarkEcho(b *testing.B) {
	for _, s := range servers {
		b.Run(s.name, func(b *testing.B) {
			c := connect(b, start(b, s.name).address, 1000)
			c.exchange(2000)
			c.took = nil
			b.ResetTimer()
			c.exchange(b.N)
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
			b.ReportMetric(float64(c.quantile(0.5).Microseconds()), "p50-µs")
			b.ReportMetric(float64(c.quantile(0.99).Microseconds()), "p99-µs")
		})
	}
}

// BenchmarkEchoMemory gives the resident memory of a server for each of 5,000 connections that have had a message and are
// idle.
func BenchmarkEchoMemory(b *testing.B) {
	const n = 5000
	for _, s := range servers {
		b.Run(s.name, func(b *testing.B) {
			for range b.N {
				p := start(b, s.name)
				connect(b, p.address, 100).exchange(1000)
				before := p.memory()
				connect(b, p.address, n).exchange(n)
				b.ReportMetric(float64(p.memory()-before)/n, "B/connection")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}
