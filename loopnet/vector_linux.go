package loopnet

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// A vector is the buffer for one system call that sends. It belongs to the loop.
type vector []unix.Iovec

// vectorMost is the most that the kernel takes in one call (UIO_MAXIOV).
const vectorMost = 1024

// write sends as much of o as it can in one call, and returns how many bytes were sent and requested.
//
// The x/sys package has Writev too, which makes a slice for more than eight pieces each time.
func (v *vector) write(fd int, o *output) (n, asked int, err error) {
	pieces := o.pieces[o.first:]
	if len(pieces) == 1 {
		n, err = unix.Write(fd, pieces[0].p)
		return n, o.size, err
	}
	*v = (*v)[:0]
	for _, x := range pieces[:min(len(pieces), vectorMost)] {
		i := unix.Iovec{Base: unsafe.SliceData(x.p)}
		i.SetLen(len(x.p))
		*v = append(*v, i)
		asked += len(x.p)
	}
	sent, _, errno := unix.Syscall(unix.SYS_WRITEV, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(*v))), uintptr(len(*v)))
	clear(*v)
	if errno != 0 {
		return 0, asked, errno
	}
	return int(sent), asked, nil
}
