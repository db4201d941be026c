// Package fs is Node's module fs, for reading: what the embedder lets a script see of a file system.
package fs

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
	"github.com/eventloop-go/eventloop/gojaloop/internal/files"
)

// Define gives fs.js what it builds on. A result is a value, or the code of an error.
func Define(e engine.Engine, system *files.System) {
	e.Define("fsRead", func(a engine.Args) any {
		b, err := system.Read(a.Text(0))
		if err != nil {
			return failure(err)
		}
		return engine.Bytes(b)
	})
	e.Define("fsStat", func(a engine.Args) any {
		info, err := system.Stat(a.Text(0))
		if err != nil {
			return failure(err)
		}
		return engine.Object{"size", info.Size(), "mode", int(info.Mode().Perm()), "directory", info.IsDir(), "file", info.Mode().IsRegular(),
			"link", info.Mode()&fs.ModeSymlink != 0, "time", float64(info.ModTime().UnixNano()) / 1e6}
	})
	e.Define("fsList", func(a engine.Args) any {
		entries, err := system.ReadDir(a.Text(0))
		if err != nil {
			return failure(err)
		}
		list := engine.Array{}
		for _, entry := range entries {
			list = append(list, engine.Object{"name", entry.Name(), "directory", entry.IsDir(), "file", entry.Type().IsRegular(), "link", entry.Type()&fs.ModeSymlink != 0})
		}
		return list
	})
}

// failure is Node's code of an error, and its text if there is no code.
func failure(err error) string {
	switch {
	case errors.Is(err, syscall.EISDIR):
		return "EISDIR"
	case errors.Is(err, syscall.ENOTDIR):
		return "ENOTDIR"
	case files.IsNotFound(err):
		return "ENOENT"
	case errors.Is(err, fs.ErrPermission):
		return "EACCES " + err.Error()
	}
	return "EIO " + err.Error()
}
