//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package loopnet

import "golang.org/x/sys/unix"

// A vector is the buffer for one system call that sends. It belongs to the loop. These systems have writev too, but
// package x/sys does not offer it on all of them, so pieces are copied together.
type vector []byte

// vectorMost is how much is copied together.
const vectorMost = 64 << 10

// write sends as much of o as it can in one call, and returns how many bytes were sent and requested.
func (v *vector) write(fd int, o *output) (n, asked int, err error) {
	p := o.pieces[o.first].p
	if len(p) < o.size && len(p) < vectorMost {
		p = o.appendTo((*v)[:0], vectorMost)
		*v = p
	}
	n, err = unix.Write(fd, p)
	return n, len(p), err
}
