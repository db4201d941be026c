// Package files is the file system that scripts see: one of Go's, or a function that reads.
package files

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"syscall"
	"time"
)

// A System is what scripts may read. Its paths are those of scripts: /a/b, C:/a/b, or relative. A nil System has no files.
type System struct {
	fsys fs.FS
	read func(path string) ([]byte, error)
}

// FromFS makes one of a file system of Go's, in which /a/b has the name a/b.
func FromFS(fsys fs.FS) *System { return &System{fsys: fsys} }

// FromFunc makes one of a function that reads files by the paths of scripts. It has no directories.
func FromFunc(read func(path string) ([]byte, error)) *System { return &System{read: read} }

// IsNotFound reports whether an error means that there is no such file: a directory in its place counts.
func IsNotFound(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) || errors.Is(err, syscall.EISDIR) || errors.Is(err, syscall.ENOTDIR)
}

func name(p string) string {
	p = strings.TrimPrefix(path.Clean(p), "/")
	if p == "" {
		return "."
	}
	return p
}

func missing(op, p string) error { return &fs.PathError{Op: op, Path: p, Err: fs.ErrNotExist} }

// Read returns what is in a file.
func (s *System) Read(p string) ([]byte, error) {
	switch {
	case s == nil:
		return nil, missing("open", p)
	case s.read != nil:
		return s.read(p)
	}
	return fs.ReadFile(s.fsys, name(p))
}

// IsFile reports whether there is a file that is no directory.
func (s *System) IsFile(p string) (bool, error) {
	info, err := s.Stat(p)
	switch {
	case err == nil:
		return !info.IsDir(), nil
	case IsNotFound(err):
		return false, nil
	}
	return false, err
}

// Stat describes a file or a directory.
func (s *System) Stat(p string) (fs.FileInfo, error) {
	switch {
	case s == nil:
		return nil, missing("stat", p)
	case s.read == nil:
		return fs.Stat(s.fsys, name(p))
	}
	text, err := s.read(p)
	if err != nil {
		return nil, err
	}
	return info{path.Base(p), int64(len(text))}, nil
}

// ReadDir lists a directory.
func (s *System) ReadDir(p string) ([]fs.DirEntry, error) {
	if s == nil || s.read != nil {
		return nil, missing("scandir", p)
	}
	return fs.ReadDir(s.fsys, name(p))
}

// ReadAt reads from an offset of a file, to the end of b.
func (s *System) ReadAt(p string, b []byte, offset int64) (int, error) {
	text, err := s.Read(p)
	if err != nil {
		return 0, err
	}
	n, err := bytes.NewReader(text).ReadAt(b, offset)
	if err == io.EOF {
		err = nil
	}
	return n, err
}

// info is what is known of a file that a function reads.
type info struct {
	name string
	size int64
}

func (i info) Name() string     { return i.name }
func (i info) Size() int64      { return i.size }
func (info) Mode() fs.FileMode  { return 0o444 }
func (info) ModTime() time.Time { return time.Time{} }
func (info) IsDir() bool        { return false }
func (info) Sys() any           { return nil }
