package rpc

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/eventloop-go/eventloop/loopsim"
)

// ReadLog returns the lines of a file. A last line without its line feed, which a crash has torn, is cut off, in the file too.
func ReadLog(d *loopsim.Disk, name string) ([]string, error) {
	data, err := d.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	end := strings.LastIndexByte(string(data), '\n') + 1
	if end < len(data) {
		if err := Replace(d, name, data[:end]); err != nil {
			return nil, err
		}
	}
	if end == 0 {
		return nil, nil
	}
	return strings.Split(string(data[:end-1]), "\n"), nil
}

// Replace gives a file another content, in one step and durably.
func Replace(d *loopsim.Disk, name string, data []byte) error {
	temporary := name + ".new"
	if err := d.WriteFile(temporary, data); err != nil {
		return err
	}
	if err := d.Sync(temporary); err != nil { // before the rename, or a crash may leave the name with nothing behind it
		return err
	}
	if err := d.Rename(temporary, name); err != nil {
		return err
	}
	return d.SyncNames()
}
