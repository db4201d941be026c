//go:build linux

package eventloop

import (
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// idleDescriptors returns n descriptors that are never ready for reading, or as many as the process may have.
func idleDescriptors(b *testing.B, n int) []int {
	var limit syscall.Rlimit
	must(b, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	n = min(n, int(min(limit.Cur, 1<<20))-100)
	var fds []int
	b.Cleanup(func() { closeFDs(b, fds...) })
	for len(fds) < n {
		fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
		if err != nil {
			b.Fatalf("%d descriptors: %v", len(fds), err)
		}
		fds = append(fds, fd)
	}
	return fds
}

// BenchmarkIdleDescriptors is Submit and the latency of a task on a loop with so many descriptors that are never ready. The
// second row without any tells the noise.
func BenchmarkIdleDescriptors(b *testing.B) {
	for _, n := range []int{0, 1, 100, 10_000, 0} {
		name := "/" + strconv.Itoa(n)
		start := func(b *testing.B) *Loop {
			l := running(b)
			if n > 0 {
				for _, fd := range idleDescriptors(b, n) {
					must(b, l.RegisterFD(fd, EventRead, func(IOEvents) { b.Error("ready") }))
				}
			}
			on(b, l, func() {})
			b.ResetTimer()
			return l
		}
		b.Run("Submit"+name, func(b *testing.B) {
			l := start(b)
			ran := 0
			task := func() { ran++ }
			drained := make(chan struct{})
			last := func() { ran++; drained <- struct{}{} }
			for i := range b.N {
				if i == b.N-1 || i%chunk == chunk-1 {
					_ = l.Submit(last)
					<-drained
					continue
				}
				_ = l.Submit(task)
			}
			expectCount(b, "tasks", ran, b.N)
		})
		b.Run("Latency"+name, func(b *testing.B) {
			l := start(b)
			ran := 0
			answer := make(chan struct{})
			task := func() { ran++; answer <- struct{}{} }
			for range b.N {
				_ = l.Submit(task)
				<-answer
			}
			expectCount(b, "tasks", ran, b.N)
		})
	}
}

// BenchmarkReadiness writes to a pipe, and gives the time until its reader knows, the mean of single writes, beside that
// of the round with the answer: a callback of the loop, a goroutine that is blocked in epoll_wait, one in os.File.Read.
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
		l := running(b)
		r, w := pipe(b)
		defer closeFDs(b, w)
		var reached time.Time
		answer := make(chan struct{})
		must(b, l.RegisterFD(r, EventRead, func(IOEvents) {
			reached = time.Now()
			var buf [8]byte
			_, _ = syscall.Read(r, buf[:])
			answer <- struct{}{}
		}))
		measure(b, w, &reached, answer)
		on(b, l, func() { must(b, l.UnregisterFD(r)) })
		closeFDs(b, r)
	})
	b.Run("EpollWait", func(b *testing.B) {
		r, w := pipe(b)
		set, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
		must(b, err)
		must(b, unix.EpollCtl(set, unix.EPOLL_CTL_ADD, r, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(r)}))
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
		closeFDs(b, w)
		<-ended
		closeFDs(b, r, set)
	})
	b.Run("FileRead", func(b *testing.B) {
		r, w := pipe(b)
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
		closeFDs(b, w)
		<-ended
		must(b, f.Close())
	})
}

// BenchmarkThousandReady has 1,000 pipes become ready while the loop is busy, and gives the time until each callback has
// read its byte: the looks of the loop, the callbacks and their reads, for each.
func BenchmarkThousandReady(b *testing.B) {
	const n = 1000
	l := running(b)
	var writers, readers []int
	left := 0
	done := make(chan struct{})
	for range n {
		r, w := pipe(b)
		readers, writers = append(readers, r), append(writers, w)
		must(b, l.RegisterFD(r, EventRead, func(IOEvents) {
			var buf [8]byte
			_, _ = syscall.Read(r, buf[:])
			if left--; left == 0 {
				done <- struct{}{}
			}
		}))
	}
	on(b, l, func() {})
	b.ResetTimer()
	var took time.Duration
	for range b.N {
		var began time.Time
		on(b, l, func() {
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
	on(b, l, func() {
		for _, r := range readers {
			must(b, l.UnregisterFD(r))
		}
	})
	closeFDs(b, append(readers, writers...)...)
}

// BenchmarkRegister registers 100,000 descriptors with a loop that sleeps, and unregisters them: the time of each, and the
// memory that a registration takes, its callback apart.
func BenchmarkRegister(b *testing.B) {
	const n = 100_000
	fds := idleDescriptors(b, n) // where the process may have fewer, they are registered several times
	rounds := max(n/len(fds), 1)
	l := running(b)
	var register, unregister time.Duration
	var bytes float64
	callback := func(IOEvents) { b.Error("ready") }
	b.ResetTimer()
	for range b.N * rounds {
		before := heapInUse()
		began := time.Now()
		for _, fd := range fds {
			if err := l.RegisterFD(fd, EventRead, callback); err != nil {
				b.Fatal(err)
			}
		}
		register += time.Since(began)
		bytes += float64(heapInUse()) - float64(before)
		began = time.Now()
		for _, fd := range fds {
			if err := l.UnregisterFD(fd); err != nil {
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
