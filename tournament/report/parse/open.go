package parse

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Open reads a file in any of the formats, or a directory that holds a results.json or a results.txt.
func Open(path string) (*Input, error) {
	info, err := os.Stat(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, &Error{File: path, Msg: "no such file or directory; give a results.json, a go test -bench log or the directory of a run", Err: err}
		}
		return nil, &Error{File: path, Msg: err.Error(), Err: err}
	}
	if info.IsDir() {
		return openDir(path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, &Error{File: path, Msg: err.Error(), Err: err}
	}
	defer f.Close()
	return Read(path, f)
}

func openDir(dir string) (*Input, error) {
	const first, second = "results.json", "results.txt"
	in, err := Open(filepath.Join(dir, first))
	switch {
	case err == nil:
		if _, err := os.Stat(filepath.Join(dir, second)); err == nil {
			in.Add(NotRead, 0, "%s holds the same figures as text and was left alone", second)
		}
	case errors.Is(err, fs.ErrNotExist):
		in, err = Open(filepath.Join(dir, second))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, &Error{File: dir, Msg: fmt.Sprintf("holds neither %s nor %s; name the file with the figures itself", first, second), Err: err}
		}
	}
	if err != nil {
		return nil, err
	}
	if in.Format == FormatText && in.Env.GOOS == "" {
		in.Label = filepath.Base(filepath.Clean(dir))
	}
	return in, nil
}

// Read reads figures from r in any of the formats. The name stands for the file in messages.
func Read(name string, r io.Reader) (*Input, error) {
	br := bufio.NewReaderSize(r, 64<<10)
	head, err := br.Peek(512)
	if len(head) == 0 {
		if err != nil && err != io.EOF {
			return nil, &Error{File: name, Msg: err.Error(), Err: err}
		}
		return nil, &Error{File: name, Msg: "is empty; run the benchmarks again and keep their output"}
	}
	if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
		if _, err := br.Discard(3); err != nil {
			return nil, &Error{File: name, Msg: err.Error(), Err: err}
		}
		head = head[3:]
	}
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return nil, &Error{File: name, Line: 1, Msg: "is UTF-16, as PowerShell's > writes it; convert it to UTF-8, for example with Set-Content -Encoding utf8"}
	}
	if bytes.HasPrefix(head, []byte("\x1f\x8b")) {
		return nil, &Error{File: name, Msg: "is compressed; unpack it with gunzip first"}
	}
	switch start := bytes.TrimLeft(head, " \t\r\n"); {
	case bytes.HasPrefix(start, []byte("{")) && isTestJSON(start):
		return nil, &Error{File: name, Line: 1, Msg: "is the output of go test -json; run go test without -json"}
	case bytes.HasPrefix(start, []byte("{")):
		return readJSON(name, br)
	case bytes.HasPrefix(start, []byte("[")):
		if _, _, ok := bytes.Cut(start, []byte("]")); !ok || bytes.HasPrefix(start, []byte("[{")) {
			return nil, &Error{File: name, Line: 1, Msg: "is a JSON array; want an object with \"schema\" or \"benchmarks\""}
		}
	}
	return readText(name, br)
}

func isTestJSON(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	return bytes.Contains(line, []byte(`"Action":`)) && bytes.Contains(line, []byte(`"Package":`))
}

// Label makes the labels of inputs that will stand side by side different from each other.
func Label(inputs []*Input) {
	seen := make(map[string]int)
	for _, in := range inputs {
		seen[in.Label]++
	}
	taken := make(map[string]bool)
	for _, in := range inputs {
		label := in.Label
		if seen[label] > 1 {
			label = fmt.Sprintf("%s (%s)", in.Label, stem(in.Path))
		}
		for n := 2; taken[label]; n++ {
			label = fmt.Sprintf("%s #%d", in.Label, n)
		}
		taken[label] = true
		in.Label = label
	}
}

// stem is the telling part of a path: the file without its extension, or its directory if every run names the file so.
func stem(path string) string {
	base := filepath.Base(path)
	name := strings.TrimSuffix(base, filepath.Ext(base))
	if name == "results" {
		if dir := filepath.Base(filepath.Dir(path)); dir != "." && dir != string(filepath.Separator) {
			return dir
		}
	}
	return name
}
