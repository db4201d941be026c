package echo

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const (
	quick = 490 // connections that read everything at once
	slow  = 10  // connections that read one message of slowEvery
)

const slowEvery = 16

// An audience has connections to a room: a sender, quick readers, and slow readers. It checks that the quick ones get
// every message, whole and in order.
type audience struct {
	*client
	sender int
	slows  []int

	next    map[int]int // the bytes that a quick connection has received
	missing int         // deliveries under way
	sentAt  []time.Time // by message, from base on
	base    int
}

func attend(tb testing.TB, address string) *audience {
	tb.Helper()
	a := &audience{client: connect(tb, address, quick+1), next: make(map[int]int)}
	a.sender, a.fds = a.fds[quick], a.fds[:quick]
	must(tb, unix.EpollCtl(a.set, unix.EPOLL_CTL_DEL, a.sender, nil))
	others := connect(tb, address, slow)
	for _, fd := range others.fds {
		must(tb, unix.EpollCtl(others.set, unix.EPOLL_CTL_DEL, fd, nil))
		must(tb, unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, messageSize))
		must(tb, unix.SetNonblock(fd, true))
	}
	a.slows = others.fds
	sender := a.sender
	tb.Cleanup(func() { _ = unix.Close(sender) })
	return a
}

// say sends n messages, so many at a time, and waits after each time until every quick connection has them.
func (a *audience) say(n, at int) {
	message := make([]byte, at*messageSize)
	for sent := 0; sent < n; sent += at {
		now := time.Now()
		a.base += len(a.sentAt)
		a.sentAt = a.sentAt[:0]
		count := min(at, n-sent)
		for i := range count {
			binary.BigEndian.PutUint64(message[i*messageSize:], uint64(a.base+i))
			a.sentAt = append(a.sentAt, now)
		}
		if _, err := unix.Write(a.sender, message[:count*messageSize]); err != nil {
			a.tb.Fatal(err)
		}
		a.missing += count * len(a.fds)
		a.hear()
		if a.base/slowEvery != (a.base+count)/slowEvery {
			for _, fd := range a.slows {
				_, _ = unix.Read(fd, message[:messageSize]) // it may have caught up
			}
		}
	}
}

// hear reads until no delivery is missing.
func (a *audience) hear() {
	events, buf := make([]unix.EpollEvent, 1024), make([]byte, 64<<10)
	for a.missing > 0 {
		n, err := unix.EpollWait(a.set, events, 20_000)
		if err == unix.EINTR {
			continue
		}
		must(a.tb, err)
		if n == 0 {
			a.tb.Fatalf("%d deliveries are missing after 20 s", a.missing)
		}
		for _, ev := range events[:n] {
			fd := int(ev.Fd)
			n, err := unix.Read(fd, buf)
			if n <= 0 {
				a.tb.Fatalf("a connection ended: %d, %v", n, err)
			}
			a.take(fd, buf[:n])
		}
	}
}

// take checks the numbers of the messages that begin in p, and counts those that end there.
func (a *audience) take(fd int, p []byte) {
	had := a.next[fd]
	for i := (messageSize - had%messageSize) % messageSize; i+8 <= len(p); i += messageSize {
		if got, want := binary.BigEndian.Uint64(p[i:]), uint64((had+i)/messageSize); got != want {
			a.tb.Fatalf("message %d came where %d was due", got, want)
		}
	}
	a.next[fd] = had + len(p)
	for m := had / messageSize; m < a.next[fd]/messageSize; m++ {
		a.took = append(a.took, time.Since(a.sentAt[m-a.base]))
		a.missing--
	}
}

func TestEveryRoomSendsEveryMessageToAllThatRead(t *testing.T) {
	for _, s := range rooms {
		t.Run(s.name, func(t *testing.T) {
			a := attend(t, start(t, s.name).address)
			a.say(50, 1)
			a.say(64, 8)
		})
	}
}

// BenchmarkFanOut sends messages of 512 bytes to 500 connections, of which 10 read slowly. An operation is a message.
// Deliveries and their times are counted for the other 490. The next message follows when they have it: alone, or 8
// together.
func BenchmarkFanOut(b *testing.B) {
	for _, s := range rooms {
		name := strings.TrimSuffix(s.name, "Room")
		for _, mode := range []struct {
			name string
			at   int
		}{{"Single", 1}, {"Eight", 8}} {
			b.Run(mode.name+"/"+name, func(b *testing.B) {
				p := start(b, s.name)
				before := p.memory()
				a := attend(b, p.address)
				a.say(64, mode.at)
				a.took = nil
				b.ResetTimer()
				a.say(b.N, mode.at)
				b.StopTimer()
				b.ReportMetric(float64(b.N*quick)/b.Elapsed().Seconds(), "deliveries/s")
				b.ReportMetric(float64(a.quantile(0.5).Microseconds()), "p50-µs")
				b.ReportMetric(float64(a.quantile(0.99).Microseconds()), "p99-µs")
				b.ReportMetric(float64(p.memory()-before)/(quick+slow), "B/connection")
			})
		}
	}
}
