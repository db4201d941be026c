package loopnet

import "golang.org/x/sys/unix"

func acceptFD(listener int) (int, error) {
	fd, _, err := unix.Accept4(listener, unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC)
	return fd, err
}

// keepAlive sets the times of package net: the other side is asked after 15 s of silence, nine times.
func keepAlive(listener int) {
	_ = unix.SetsockoptInt(listener, unix.IPPROTO_TCP, unix.TCP_KEEPIDLE, 15)
	_ = unix.SetsockoptInt(listener, unix.IPPROTO_TCP, unix.TCP_KEEPINTVL, 15)
	_ = unix.SetsockoptInt(listener, unix.IPPROTO_TCP, unix.TCP_KEEPCNT, 9)
}
