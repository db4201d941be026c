//go:build !unix

package netpoll

// untilReady returns a function for RawConn's Read or Write that has it wait until the connection is ready. Windows waits
// by a read or write of no bytes whenever the function says that it is not done, at first too.
func untilReady(Events) func(fd uintptr) bool {
	waited := false
	return func(uintptr) bool {
		done := waited
		waited = true
		return done
	}
}
