package js

import "context"

// An Exception is an error that the Web's standards define: a DOMException (WebIDL 2.8.1), or one of ECMAScript's own
// errors. Its name identifies it, and [errors.Is] compares the names.
type Exception struct {
	Name    string
	Message string
}

// The exceptions of this package, to be matched with [errors.Is]: they equal every exception of their name.
var (
	ErrAbort        = &Exception{"AbortError", "This operation was aborted"}
	ErrTimeout      = &Exception{"TimeoutError", "The operation was aborted due to timeout"}
	ErrInvalidState = &Exception{"InvalidStateError", "The object is in an invalid state"}
	ErrSyntax       = &Exception{"SyntaxError", "The name is not known"}
	ErrType         = &Exception{"TypeError", "The argument is not valid"}
	ErrRange        = &Exception{"RangeError", "The argument is out of range"}
)

// Error returns the name and the message.
func (e *Exception) Error() string { return e.Name + ": " + e.Message }

// Is reports whether target is an exception of the same name; a TimeoutError also matches [context.DeadlineExceeded].
func (e *Exception) Is(target error) bool {
	if target == context.DeadlineExceeded {
		return e.Name == ErrTimeout.Name
	}
	other, ok := target.(*Exception)
	return ok && other.Name == e.Name
}
