//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package loopnet

import (
	"syscall"

	"golang.org/x/sys/unix"
)

func acceptFD(listener int) (int, error) {
	syscall.ForkLock.RLock() // no child inherits it
	fd, _, err := unix.Accept(listener)
	if err == nil {
		unix.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return -1, err
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		_ = unix.Close(fd)
		return -1, err
	}
	return fd, nil
}

// keepAlive leaves the times to the system.
func keepAlive(int) {}
