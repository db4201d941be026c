//go:build !unix

package netpoll

import "runtime"

// untilReady returns a function for RawConn's Read or Write that has it wait until the connection is ready. Windows waits
// by a read of no bytes whenever the function says that it is not done, at first too. It cannot wait for a write, and fails
// when it is asked to: there a connection counts as ready at once.
func untilReady(direction Events) func(fd uintptr) bool {
	waited := direction == Write && runtime.GOOS == "windows"
	return func(uintptr) bool {
		done := waited
		waited = true
		return done
	}
}
