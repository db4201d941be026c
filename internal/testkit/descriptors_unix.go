//go:build unix

package testkit

import (
	"syscall"
	"testing"
)

// Pipe returns the two ends of a pipe that does not block.
func Pipe(t testing.TB) (r, w int) {
	t.Helper()
	var p [2]int
	Must(t, syscall.Pipe(p[:]))
	for _, fd := range p {
		Must(t, syscall.SetNonblock(fd, true))
		syscall.CloseOnExec(fd)
	}
	return p[0], p[1]
}

// Socketpair returns two connected stream sockets that do not block.
func Socketpair(t testing.TB) (a, b int) {
	t.Helper()
	p, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	Must(t, err)
	for _, fd := range p {
		Must(t, syscall.SetNonblock(fd, true))
		syscall.CloseOnExec(fd)
	}
	return p[0], p[1]
}

// CloseFDs closes descriptors.
func CloseFDs(t testing.TB, fds ...int) {
	t.Helper()
	for _, fd := range fds {
		Must(t, syscall.Close(fd))
	}
}
