package result

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// The names of the files that Save writes.
const (
	JSONName = "results.json"
	TextName = "results.txt"
)

// Prepare makes the directory if need be and checks that files can be written there: before the measuring, not after.
func Prepare(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	probe, err := os.CreateTemp(dir, ".tournament-*")
	if err != nil {
		return err
	}
	probe.Close()
	return os.Remove(probe.Name())
}

// Save writes the file into the directory as results.json and results.txt and returns their paths. Each appears
// whole or not at all, also when the disk is full or the program ends.
func (f *File) Save(dir string) (paths []string, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	var text, json bytes.Buffer
	if err := f.WriteText(&text); err != nil {
		return nil, err
	}
	if err := f.WriteJSON(&json); err != nil {
		return nil, err
	}
	for _, file := range []struct {
		name string
		data []byte
	}{{TextName, text.Bytes()}, {JSONName, json.Bytes()}} {
		path := filepath.Join(dir, file.name)
		if err := WriteFile(path, file.data); err != nil {
			return paths, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// WriteFile replaces a file by one with the given content, or leaves it as it was.
func WriteFile(path string, data []byte) (err error) {
	mode := os.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
			err = fmt.Errorf("write %s: %w", path, err)
		}
	}()
	if _, err := tmp.Write(data); err != nil {
		return err
	}
	if err := tmp.Chmod(mode); err != nil {
		return err
	}
	if err := tmp.Sync(); err != nil {
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// Load reads a result: a results.json, or the directory that holds one.
func Load(path string) (*File, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, JSONName)
	}
	r, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	f, err := ReadJSON(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}
