//go:build linux

package bench

import (
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	. "github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// idleDescriptors returns n descriptors that are never ready for reading, or as many as the process may have.
func idleDescriptors(b *testing.B, n int) []int {
	var limit syscall.Rlimit
	testkit.Must(b, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	n = min(n, int(min(limit.Cur, 1<<20))-100)
	var fds []int
	b.Cleanup(func() { testkit.CloseFDs(b, fds...) })
	for len(fds) < n {
		fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
		if err != nil {
			b.Fatalf("%d descriptors: %v", len(fds), err)
		}
		fds = append(fds, fd)
	}
	return fds
}

// BenchmarkIdleDescriptors is Submit and the latency of a task on a loop with so many descriptors that are never
// ready. The second row without any shows the noise.
func BenchmarkIdleDescriptors(b *testing.B) {
	for _, n := range []int{0, 1, 100, 10_000, 0} {
		name := "/" + strconv.Itoa(n)
		start := func(b *testing.B) *Loop {
			l := testkit.Running(b, New())
			if n > 0 {
				for _, fd := range idleDescriptors(b, n) {
					_, err := l.RegisterFD(fd, EventRead, func(IOEvents) { b.Error("ready") })
					testkit.Must(b, err)
				}
			}
			testkit.On(b, l, func() {})
			b.ResetTimer()
			return l
		}
		b.Run("Submit"+name, func(b *testing.B) { submitInChunks(b, start(b)) })
		b.Run("Latency"+name, func(b *testing.B) { pingPong(b, submitTo(start(b))) })
	}
}

// BenchmarkReadiness writes to a pipe. It reports the mean time from single writes until the reader knows, beside the
// time of the round with the answer. The reader is a callback of the loop, a goroutine blocked in epoll_wait, or one
// in os.File.Read.
func BenchmarkReadiness(b *testing.B) {
	measure := func(b *testing.B, w int, reached *time.Time, answer chan struct{}) {
		var sum time.Duration
		b.ResetTimer()
		for range b.N {
			began := time.Now()
			if _, err := syscall.Write(w, []byte{1}); err != nil {
				b.Fatal(err)
			}
			<-answer
			sum += reached.Sub(began)
		}
		b.ReportMetric(float64(sum)/float64(b.N), "ns/ready")
	}
	b.Run("Loop", func(b *testing.B) {
		l := testkit.Running(b, New())
		r, w := testkit.Pipe(b)
		defer testkit.CloseFDs(b, w)
		var reached time.Time
		answer := make(chan struct{})
		watch, err := l.RegisterFD(r, EventRead, func(IOEvents) {
			reached = time.Now()
			var buf [8]byte
			_, _ = syscall.Read(r, buf[:])
			answer <- struct{}{}
		})
		testkit.Must(b, err)
		measure(b, w, &reached, answer)
		testkit.On(b, l, func() { testkit.Must(b, watch.Close()) })
		testkit.CloseFDs(b, r)
	})
	b.Run("EpollWait", func(b *testing.B) {
		r, w := testkit.Pipe(b)
		set, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
		testkit.Must(b, err)
		testkit.Must(b, unix.EpollCtl(set, unix.EPOLL_CTL_ADD, r, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(r)}))
		var reached time.Time
		answer, ended := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			var events [1]unix.EpollEvent
			for {
				if n, err := unix.EpollWait(set, events[:], -1); n != 1 || err == unix.EINTR {
					continue
				}
				reached = time.Now()
				var buf [8]byte
				if n, _ := syscall.Read(r, buf[:]); n < 1 {
					return
				}
				answer <- struct{}{}
			}
		}()
		measure(b, w, &reached, answer)
		testkit.CloseFDs(b, w)
		<-ended
		testkit.CloseFDs(b, r, set)
	})
	b.Run("FileRead", func(b *testing.B) {
		r, w := testkit.Pipe(b)
		f := os.NewFile(uintptr(r), "pipe")
		var reached time.Time
		answer, ended := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			var buf [8]byte
			for {
				if _, err := f.Read(buf[:]); err != nil {
					return
				}
				reached = time.Now()
				answer <- struct{}{}
			}
		}()
		measure(b, w, &reached, answer)
		testkit.CloseFDs(b, w)
		<-ended
		testkit.Must(b, f.Close())
	})
}

// BenchmarkThousandReady has 1,000 pipes become ready while the loop is busy. It measures the time until each
// callback has read its byte, for each: the loop's polling, the callbacks and their reads.
func BenchmarkThousandReady(b *testing.B) {
	const n = 1000
	l := testkit.Running(b, New())
	var writers, readers []int
	var watches []*Watch
	left := 0
	done := make(chan struct{})
	for range n {
		r, w := testkit.Pipe(b)
		readers, writers = append(readers, r), append(writers, w)
		watch, err := l.RegisterFD(r, EventRead, func(IOEvents) {
			var buf [8]byte
			_, _ = syscall.Read(r, buf[:])
			if left--; left == 0 {
				done <- struct{}{}
			}
		})
		testkit.Must(b, err)
		watches = append(watches, watch)
	}
	testkit.On(b, l, func() {})
	b.ResetTimer()
	var took time.Duration
	for range b.N {
		var began time.Time
		testkit.On(b, l, func() {
			left = n
			for _, w := range writers {
				_, _ = syscall.Write(w, []byte{1})
			}
			began = time.Now()
		})
		<-done
		took += time.Since(began)
	}
	b.ReportMetric(float64(took)/float64(b.N*n), "ns/descriptor")
	b.ReportMetric(0, "ns/op")
	testkit.On(b, l, func() {
		for _, w := range watches {
			testkit.Must(b, w.Close())
		}
	})
	testkit.CloseFDs(b, append(readers, writers...)...)
}

// BenchmarkRegister registers 100,000 descriptors with a loop that sleeps, and unregisters them: the time of each, and the
// memory that a registration takes, its callback apart.
func BenchmarkRegister(b *testing.B) {
	const n = 100_000
	fds := idleDescriptors(b, n) // where the process may have fewer, they are registered several times
	rounds := max(n/len(fds), 1)
	l := testkit.Running(b, New())
	var register, unregister time.Duration
	var bytes float64
	callback := func(IOEvents) { b.Error("ready") }
	watches := make([]*Watch, len(fds))
	b.ResetTimer()
	for range b.N * rounds {
		before := testkit.HeapInUse()
		began := time.Now()
		for i, fd := range fds {
			var err error
			if watches[i], err = l.RegisterFD(fd, EventRead, callback); err != nil {
				b.Fatal(err)
			}
		}
		register += time.Since(began)
		bytes += float64(testkit.HeapInUse()) - float64(before)
		began = time.Now()
		for _, w := range watches {
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
		}
		unregister += time.Since(began)
	}
	each := float64(b.N * rounds * len(fds))
	b.ReportMetric(float64(register)/each, "ns/register")
	b.ReportMetric(float64(unregister)/each, "ns/unregister")
	b.ReportMetric(bytes/each, "B/registered")
	b.ReportMetric(0, "ns/op")
}
