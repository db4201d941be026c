package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// envServer names the server that this process is to be.
const envServer = "EVENTLOOP_ROOM_SERVER"

var lasts = flag.Duration("lasts", time.Second, "how long a room is measured")

var servers = map[string]func(context.Context, net.Listener, *tls.Config) error{
	"Loop":        serve,
	"PlainGo256":  servePlain(256),
	"PlainGo4096": servePlain(4096),
}

func TestMain(m *testing.M) {
	name, secret := strings.CutSuffix(os.Getenv(envServer), "/TLS")
	serve := servers[name]
	if serve == nil {
		os.Exit(m.Run())
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err == nil {
		fmt.Println(l.Addr())
		var config *tls.Config
		if secret {
			config = certified()
		}
		go answer()
		err = serve(context.Background(), l, config)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// answer tells for each line on standard input the resident memory in bytes, as it is and after a collection, and the processor time in
// microseconds. It ends the process at the end of the input.
func answer() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		before := resident()
		debug.FreeOSMemory()
		var used unix.Rusage
		_ = unix.Getrusage(unix.RUSAGE_SELF, &used)
		fmt.Println(before, resident(), (used.Utime.Nano()+used.Stime.Nano())/1000)
	}
	os.Exit(0)
}

func resident() int {
	statm, _ := os.ReadFile("/proc/self/statm")
	pages, _ := strconv.Atoi(strings.Fields(string(statm))[1])
	return pages * os.Getpagesize()
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
	p.address = strings.TrimSpace(p.line())
	return p
}

func (p *process) line() string {
	line, err := p.out.ReadString('\n')
	must(p.tb, err)
	return line
}

// usage is the resident memory, as it is and after a collection, and the processor time.
func (p *process) usage() (now, live int, busy time.Duration) {
	_, err := io.WriteString(p.in, "usage\n")
	must(p.tb, err)
	var µs int
	_, err = fmt.Sscan(p.line(), &now, &live, &µs)
	must(p.tb, err)
	return now, live, time.Duration(µs) * time.Microsecond
}

const (
	clients = 490
	slow    = 10  // do not read
	probes  = 10  // clients that look when each message was sent
	size    = 128 // bytes of a message
)

// Clients are those of one room, in one process: they are as cheap as can be, and the same for every server.
type room500 struct {
	tb    testing.TB
	conns []io.ReadWriter
	lazy  []int // descriptors of the slow ones
	began time.Time

	said   int // messages
	lasted time.Duration

	delivered atomic.Int64 // bytes
	lost      atomic.Int64 // connections of clients that read
	mu        sync.Mutex
	took      []time.Duration
}

// connect opens a connection. A slow one has small segments and a small buffer. Otherwise the server's kernel keeps 200 KB and more for
// it, as much as a room says in 10 s, and the server does not notice that it does not read.
func connect(tb testing.TB, address string, isSlow bool) int {
	tb.Helper()
	host, err := net.ResolveTCPAddr("tcp", address)
	must(tb, err)
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	must(tb, err)
	if isSlow {
		must(tb, unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_MAXSEG, 256))
		must(tb, unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, 4096))
	}
	must(tb, unix.Connect(fd, &unix.SockaddrInet4{Port: host.Port, Addr: [4]byte(host.IP.To4())}))
	must(tb, unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1))
	return fd
}

// A file is a descriptor as an io.ReadWriter that does not wait.
type file int

func (f file) Read(p []byte) (int, error)  { return unix.Read(int(f), p) }
func (f file) Write(p []byte) (int, error) { return unix.Write(int(f), p) }

// heard counts received messages. rest is the start of a message that a probe has received in part.
func (r *room500) heard(p []byte, probe bool, rest []byte) []byte {
	r.delivered.Add(int64(len(p)))
	if !probe {
		return nil
	}
	now := time.Since(r.began)
	rest = append(rest, p...)
	r.mu.Lock()
	for ; len(rest) >= size; rest = rest[size:] {
		if sent, err := strconv.ParseInt(string(bytes.TrimLeft(rest[:20], " ")), 10, 64); err == nil && sent > 0 {
			r.took = append(r.took, now-time.Duration(sent))
		} else {
			r.tb.Errorf("a message is %q: %v", rest[:size], err)
		}
	}
	r.mu.Unlock()
	return append([]byte(nil), rest...)
}

// speak has clients say so many messages a second, in turn, each with the time at which it was due. It ends in time, also if the
// server takes fewer. meanwhile reads, and may wait a little if the next message is not due.
func (r *room500) speak(rate int, stop time.Duration, meanwhile func(wait bool)) {
	message := bytes.Repeat([]byte{' '}, size)
	message[size-1] = '\n'
	for i := 0; ; i++ {
		due := time.Duration(i) * time.Second / time.Duration(rate)
		for meanwhile(false); time.Since(r.began) < due; {
			meanwhile(true)
		}
		if r.lasted = time.Since(r.began); r.lasted >= stop {
			return
		}
		copy(message, fmt.Sprintf("%20d", max(due, 1)))
		if n, err := r.conns[i%len(r.conns)].Write(message); n < size && err != nil {
			continue // the server has closed it
		}
		r.said++
	}
}

// runOpen is the clients without TLS: one goroutine with an epoll set.
func (r *room500) runOpen(p *process, rate int) {
	set, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	must(r.tb, err)
	r.tb.Cleanup(func() { _ = unix.Close(set) })
	which := map[int]int{}
	for i := range clients {
		fd := connect(r.tb, p.address, false)
		r.tb.Cleanup(func() { _ = unix.Close(fd) })
		which[fd] = i
		r.conns = append(r.conns, file(fd))
		must(r.tb, unix.EpollCtl(set, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)}))
	}
	events, buf, rests := make([]unix.EpollEvent, 512), make([]byte, 256<<10), make([][]byte, probes)
	meanwhile := func(wait bool) {
		timeout := 0
		if wait {
			timeout = 1
		}
		n, err := unix.EpollWait(set, events, timeout)
		if err != nil && err != unix.EINTR {
			r.tb.Fatal(err)
		}
		for _, e := range events[:max(n, 0)] {
			fd := int(e.Fd)
			n, err := unix.Read(fd, buf)
			if n <= 0 {
				if err != unix.EINTR {
					r.lost.Add(1)
					_ = unix.EpollCtl(set, unix.EPOLL_CTL_DEL, fd, nil)
				}
				continue
			}
			if i := which[fd]; i < probes {
				rests[i] = r.heard(buf[:n], true, rests[i])
			} else {
				r.heard(buf[:n], false, nil)
			}
		}
	}
	r.begin(p)
	r.speak(rate, *lasts, meanwhile)
}

// runSecret is the clients with TLS: a goroutine each.
func (r *room500) runSecret(p *process, rate int) {
	var ready sync.WaitGroup
	begin := make(chan struct{})
	var conns []*tls.Conn
	for range clients {
		c, err := tls.Dial("tcp", p.address, &tls.Config{InsecureSkipVerify: true}) // what is measured is the room
		must(r.tb, err)
		r.tb.Cleanup(func() { _ = c.NetConn().Close() })
		conns = append(conns, c)
		r.conns = append(r.conns, c)
	}
	ended := false
	var end sync.Mutex
	for i, c := range conns {
		ready.Add(1)
		go func() {
			ready.Done()
			<-begin
			buf, rest := make([]byte, 16<<10), []byte(nil)
			for {
				n, err := c.Read(buf)
				if err != nil {
					end.Lock()
					if !ended {
						r.lost.Add(1)
					}
					end.Unlock()
					return
				}
				rest = r.heard(buf[:n], i < probes, rest)
			}
		}()
	}
	ready.Wait()
	r.begin(p)
	close(begin)
	r.speak(rate, *lasts, func(wait bool) {
		if wait {
			time.Sleep(time.Millisecond / 2)
		}
	})
	end.Lock()
	ended = true
	end.Unlock()
}

// begin connects the slow clients, and starts the clock.
func (r *room500) begin(p *process) {
	for range slow {
		fd := connect(r.tb, p.address, true)
		if strings.HasSuffix(r.tb.Name(), "TLS") {
			slowHandshake(r.tb, fd)
		}
		r.lazy = append(r.lazy, fd)
		r.tb.Cleanup(func() { _ = unix.Close(fd) })
	}
	r.began = time.Now()
}

// slowHandshake speaks TLS until the server has answered, and then does not read any more.
func slowHandshake(tb testing.TB, fd int) {
	c, err := net.FileConn(os.NewFile(uintptr(must2(unix.Dup(fd))), "slow"))
	must(tb, err)
	tb.Cleanup(func() { _ = c.Close() })
	must(tb, tls.Client(c, &tls.Config{InsecureSkipVerify: true}).Handshake())
}

func must2(fd int, err error) int {
	if err != nil {
		panic(err)
	}
	return fd
}

// disconnected counts the slow clients that the server has disconnected. The end lies behind data that they have not read. They read
// it now, and their kernel may wait for a while before it asks for more.
func (r *room500) disconnected() (n int) {
	buf := make([]byte, 64<<10)
	var poll []unix.PollFd
	for _, fd := range r.lazy {
		poll = append(poll, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
	}
	for limit := time.Now().Add(5 * time.Second); n < len(poll) && time.Now().Before(limit); {
		if _, err := unix.Poll(poll, 100); err != nil && err != unix.EINTR {
			r.tb.Fatal(err)
		}
		for i := range poll {
			if poll[i].Fd < 0 || poll[i].Revents == 0 {
				continue
			}
			if got, err := unix.Read(int(poll[i].Fd), buf); got <= 0 && err != unix.EINTR {
				poll[i].Fd = -1 // poll ignores it
				n++
			}
		}
	}
	return n
}

func (r *room500) quantile(q float64) time.Duration {
	if len(r.took) == 0 {
		return 0
	}
	slices.Sort(r.took)
	return r.took[min(int(q*float64(len(r.took))), len(r.took)-1)]
}

// BenchmarkRoom has 500 clients, 10 of which do not read. Together the others send so many messages of 128 bytes a
// second. Each server is a process of its own, and so are its clients. The natural program on the loop runs beside
// the same program in plain Go, with two bounds for a client's backlog.
//
//	go test -run '^$' -bench Room -benchtime 1x -lasts 10s ./examples/room
func BenchmarkRoom(b *testing.B) {
	for _, way := range []string{"", "/TLS"} {
		for _, rate := range []int{200, 2000, 16000, 64000} { // at the last, no room delivers the offered rate
			for _, name := range []string{"Loop", "PlainGo256", "PlainGo4096"} {
				b.Run(fmt.Sprintf("%d/%s%s", rate, name, way), func(b *testing.B) {
					for range b.N {
						p := start(b, name+way)
						_, before, idle := p.usage()
						r := &room500{tb: b}
						if way == "" {
							r.runOpen(p, rate)
						} else {
							r.runSecret(p, rate)
						}
						deliveries := r.delivered.Load() / size
						now, live, busy := p.usage()
						b.ReportMetric(float64(r.said)*(clients-1)/r.lasted.Seconds(), "offered/s")
						b.ReportMetric(float64(deliveries)/r.lasted.Seconds(), "deliveries/s")
						b.ReportMetric(float64(r.quantile(0.5).Microseconds())/1000, "p50-ms")
						b.ReportMetric(float64(r.quantile(0.99).Microseconds())/1000, "p99-ms")
						b.ReportMetric(float64(now-before)/1024, "KB-resident")
						b.ReportMetric(float64(live-before)/1024, "KB-live")
						b.ReportMetric((busy-idle).Seconds()/r.lasted.Seconds(), "processors")
						b.ReportMetric(float64(r.lost.Load()), "lost")
						b.ReportMetric(float64(r.disconnected()), "slow-disconnected")
						b.ReportMetric(0, "ns/op")
					}
				})
			}
		}
	}
}
