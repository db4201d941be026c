//go:build unix

package netpoll

import "golang.org/x/sys/unix"

// untilReady returns a function for RawConn's Read or Write that has it wait until the descriptor is ready.
func untilReady(direction Events) func(fd uintptr) bool {
	events := int16(unix.POLLIN)
	if direction == Write {
		events = unix.POLLOUT
	}
	return func(fd uintptr) bool {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: events}}, 0)
		return n > 0 || err != nil && err != unix.EINTR
	}
}
