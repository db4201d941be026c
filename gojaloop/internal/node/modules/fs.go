// Package modules is Node's modules that are no globals: assert, async_hooks, fs, path and util.
package modules

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
)

// Define gives fs.js what it builds on. Without read there are no files.
func Define(e engine.Engine, read func(path string) ([]byte, error)) {
	e.Define("readFile", func(a engine.Args) any {
		path := a.Text(0)
		if read == nil {
			e.Raise(e.Coded("Error", "ERR_ACCESS_DENIED", "Access to this API has been restricted"))
		}
		data, err := read(path)
		if err != nil {
			code := "EIO"
			if IsNotFound(err) {
				code = "ENOENT"
			} else if errors.Is(err, fs.ErrPermission) {
				code = "EACCES"
			}
			e.Raise(e.Coded("Error", code, code+": "+strings.TrimSpace(err.Error())))
		}
		return engine.Bytes(data)
	})
	e.Define("utf8", func(a engine.Args) any {
		b, _ := a.Bytes(0)
		return strings.ToValidUTF8(string(b), "\uFFFD")
	})
}

// IsNotFound reports whether an error means that there is no such file: a directory in its place counts, for require
// then goes on to look for an index.
func IsNotFound(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.EISDIR) || errors.Is(err, syscall.ENOTDIR)
}
