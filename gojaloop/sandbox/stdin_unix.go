//go:build unix

package sandbox

import (
	"os"
	"syscall"
)

// polled returns a standard file of the process as one that goroutines wait for without a thread each: a call is then
// half as long.
func polled(f *os.File) *os.File {
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		return f
	}
	if err := syscall.SetNonblock(fd, true); err != nil {
		syscall.Close(fd)
		return f
	}
	return os.NewFile(uintptr(fd), f.Name())
}
