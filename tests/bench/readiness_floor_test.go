//go:build linux

package bench

import (
	"os"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/eventloop-go/eventloop/internal/testkit"
)

// nestedSet returns an epoll set that lies in the poller of the Go runtime, as a loop's does.
func nestedSet(b *testing.B) (set int) {
	set, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	testkit.Must(b, err)
	testkit.Must(b, unix.SetNonblock(set, true))
	f := os.NewFile(uintptr(set), "epoll")
	testkit.Must(b, f.SetReadDeadline(time.Time{}))
	raw, err := f.SyscallConn()
	testkit.Must(b, err)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = raw.Read(func(uintptr) bool { return false })
	}()
	b.Cleanup(func() {
		testkit.Must(b, f.Close())
		<-ended
	})
	return set
}

// BenchmarkReadinessFloor measures only the system calls that BenchmarkThousandReady, BenchmarkRegister and a loop's
// own BenchmarkReadiness need: nothing above this kernel is faster.
func BenchmarkReadinessFloor(b *testing.B) {
	b.Run("ThousandReady", func(b *testing.B) {
		const n = 1000
		set := nestedSet(b)
		var writers, readers []int
		for range n {
			r, w := testkit.Pipe(b)
			readers, writers = append(readers, r), append(writers, w)
			testkit.Must(b, unix.EpollCtl(set, unix.EPOLL_CTL_ADD, r, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(r)}))
		}
		events := make([]unix.EpollEvent, 256)
		var wait, read time.Duration
		b.ResetTimer()
		for range b.N {
			for _, w := range writers {
				_, _ = syscall.Write(w, []byte{1})
			}
			for found := -1; found != 0; {
				began := time.Now()
				found, _ = unix.EpollWait(set, events, 0)
				waited := time.Now()
				wait += waited.Sub(began)
				for i := range max(found, 0) {
					var buf [8]byte
					_, _ = syscall.Read(int(events[i].Fd), buf[:])
				}
				read += time.Since(waited)
			}
		}
		b.ReportMetric(float64(wait+read)/float64(b.N*n), "ns/descriptor")
		b.ReportMetric(float64(wait)/float64(b.N*n), "ns/wait")
		b.ReportMetric(float64(read)/float64(b.N*n), "ns/read")
		b.ReportMetric(0, "ns/op")
		testkit.CloseFDs(b, append(readers, writers...)...)
	})
	b.Run("Register", func(b *testing.B) {
		const n = 10_000
		set := nestedSet(b)
		fds := idleDescriptors(b, n)
		var add, remove time.Duration
		b.ResetTimer()
		for range b.N {
			began := time.Now()
			for _, fd := range fds {
				testkit.Must(b, unix.EpollCtl(set, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)}))
			}
			add += time.Since(began)
			began = time.Now()
			for _, fd := range fds {
				testkit.Must(b, unix.EpollCtl(set, unix.EPOLL_CTL_DEL, fd, &unix.EpollEvent{}))
			}
			remove += time.Since(began)
		}
		b.ReportMetric(float64(add)/float64(b.N*len(fds)), "ns/register")
		b.ReportMetric(float64(remove)/float64(b.N*len(fds)), "ns/unregister")
		b.ReportMetric(0, "ns/op")
	})
}
