package gojaloop

import (
	"errors"
	"io/fs"
	"syscall"
)

// isNotFound reports whether an error means that there is no such file: a directory in its place counts, for require
// then goes on to look for an index.
func isNotFound(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.EISDIR) || errors.Is(err, syscall.ENOTDIR)
}
