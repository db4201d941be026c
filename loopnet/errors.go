package loopnet

import (
	"errors"
	"fmt"
	"os"
)

// The errors of a [Conn]. Match them with [errors.Is].
var (
	// ErrTooLong says that a line or a frame is longer than the limit.
	ErrTooLong = errors.New("loopnet: line or frame is too long")

	// ErrIdle says that a connection was idle for the time that one of its time-outs gives.
	ErrIdle = errors.New("loopnet: connection is idle")

	// ErrShutdown says that the connection was ended by a shutdown, of its listener or of the loop.
	ErrShutdown = errors.New("loopnet: shut down")

	// ErrLoopEnded says that the loop has ended before its connection.
	ErrLoopEnded = errors.New("loopnet: the loop has ended")
)

var errDeadline = os.ErrDeadlineExceeded

// An UnsentError is the reason of a close that has dropped data which Write had accepted. Match it with [errors.As].
type UnsentError struct {
	Bytes  int   // accepted by Write and not handed to the system
	Reason error // why the connection was closed; nil for Close
}

// Error gives the reason and the number of bytes.
func (e *UnsentError) Error() string {
	if e.Reason == nil {
		return fmt.Sprintf("loopnet: closed with %d bytes unsent", e.Bytes)
	}
	return fmt.Sprintf("%v, with %d bytes unsent", e.Reason, e.Bytes)
}

// Unwrap returns the reason.
func (e *UnsentError) Unwrap() error { return e.Reason }
