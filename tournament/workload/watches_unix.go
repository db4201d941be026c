//go:build unix

package workload

import "syscall"

// openPipe opens a pipe.
func openPipe() (own, peer int, err error) {
	var p [2]int
	if err := syscall.Pipe(p[:]); err != nil {
		return 0, 0, err
	}
	return p[0], p[1], prepare(p)
}

// openSockets opens two connected sockets.
func openSockets() (own, peer int, err error) {
	p, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return 0, 0, err
	}
	return p[0], p[1], prepare(p)
}

func prepare(p [2]int) error {
	for _, fd := range p {
		syscall.CloseOnExec(fd)
		if err := syscall.SetNonblock(fd, true); err != nil {
			return err
		}
	}
	return nil
}

func readOne(fd int) bool {
	var b [1]byte
	n, _ := syscall.Read(fd, b[:])
	return n == 1
}

func writeOne(fd int) error {
	_, err := syscall.Write(fd, []byte{1})
	return err
}

// sendBack writes back all readable data, and returns its length. Having nothing to read is no error.
func sendBack(fd int) (n int, err error) {
	var b [2 * echoSize]byte
	n, err = syscall.Read(fd, b[:])
	if n <= 0 {
		if err == syscall.EAGAIN || err == syscall.EINTR {
			err = nil
		}
		return 0, err
	}
	return syscall.Write(fd, b[:n])
}

func closeAll(fds []int) error {
	var first error
	for _, fd := range fds {
		if err := syscall.Close(fd); err != nil && first == nil {
			first = err
		}
	}
	return first
}
