package loopnet

import "golang.org/x/sys/unix"

func acceptFD(listener int) (int, error) {
	fd, _, err := unix.Accept4(listener, unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC)
	return fd, err
}
