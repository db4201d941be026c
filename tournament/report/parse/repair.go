package parse

import (
	"bufio"
	"bytes"
	"io"
	"regexp"
	"unicode"
	"unicode/utf8"
)

// A repairer hands the lines of a log on to benchfmt, one line out for each line in so that line numbers stay true.
// The testing package prints a benchmark's name, runs it, and prints the figures on the same line: whatever the
// benchmark itself logs ends up in between and tears the line apart. The repairer joins such lines, and blanks those
// that are no benchmark output, so that a log line such as "level: 3" is not taken for configuration.
type repairer struct {
	in   *Input
	br   *bufio.Reader
	out  []byte // what Read has still to return
	buf  []byte // backing array of out
	err  error
	line int

	open     []byte // name of a benchmark whose figures have not come yet
	openLine int
	torn     bool // something other than the name stood on its line
}

var (
	prefix = []byte("Benchmark")
	nsop   = []byte("ns/op")
	// figures finds the iteration count and what follows it behind arbitrary text.
	figures = regexp.MustCompile(`(?:^|\s)(\d+\s+[0-9.eE+-]+ ns/op.*)$`)
)

func (p *repairer) Read(dst []byte) (int, error) {
	for len(p.out) == 0 {
		if p.err != nil {
			return 0, p.err
		}
		p.buf = p.buf[:0]
		for len(p.buf) < 32<<10 && p.err == nil {
			p.next()
		}
		p.out = p.buf
	}
	n := copy(dst, p.out)
	p.out = p.out[n:]
	return n, nil
}

// next reads one line and appends what benchfmt shall see of it.
func (p *repairer) next() {
	line, err := p.br.ReadSlice('\n')
	long := 0
	for err == bufio.ErrBufferFull {
		long += len(line)
		line, err = p.br.ReadSlice('\n')
	}
	if err != nil {
		p.err = err
		if err != io.EOF {
			p.err = &Error{File: p.in.Path, Line: p.line + 1, Msg: err.Error(), Err: err}
		}
		if len(line) == 0 && long == 0 {
			p.close()
			return
		}
	}
	p.line++
	ended := bytes.HasSuffix(line, []byte("\n"))
	line = bytes.TrimRight(line, "\r\n")
	if long += len(line); long > MaxLine {
		p.in.Add(Unparsable, p.line, "line of %d bytes, more than %d, skipped", long, MaxLine)
	} else {
		p.classify(line)
	}
	p.buf = append(p.buf, '\n')
	if p.err != nil {
		if !ended && bytes.Contains(line, nsop[:2]) {
			p.in.Add(Truncated, p.line, "the last line has no line end; its figures may be cut short")
		}
		p.close()
	}
}

func (p *repairer) classify(line []byte) {
	switch {
	case bytes.HasPrefix(line, prefix) && isName(line[len(prefix):]):
		p.benchmark(line)
	case bytes.Contains(line, nsop):
		p.loose(line)
	case len(line) == 0 || isProtocol(line):
	case isConfig(line):
		p.buf = append(p.buf, line...)
	case isFailure(line):
		p.in.Add(Failed, p.line, "%s", quote(line))
	default:
		p.in.Add(Noise, p.line, "%s", quote(line))
	}
}

// benchmark takes a line that starts with a benchmark's name.
func (p *repairer) benchmark(line []byte) {
	end := bytes.IndexAny(line, " \t")
	if end < 0 {
		// go test -v prints every name on a line of its own, those of mere parents too.
		p.expect(line, false)
		return
	}
	name, rest := line[:end], bytes.TrimLeft(line[end:], " \t")
	if len(rest) > 0 && rest[0] >= '0' && rest[0] <= '9' && plain(rest) {
		p.close()
		p.buf = append(p.buf, line...)
		return
	}
	if m := figures.FindSubmatch(rest); m != nil {
		p.close()
		p.emit(name, m[1])
		return
	}
	if len(rest) > 0 && plain(rest) {
		// Looks like figures, yet does not start with a count: benchfmt reports the fault.
		p.close()
		p.buf = append(p.buf, line...)
		return
	}
	p.expect(name, true)
}

// plain reports whether the text consists of a count and figures only, as far as its first two fields tell.
func plain(rest []byte) bool {
	end := bytes.IndexAny(rest, " \t")
	if end < 0 {
		return isDigits(rest)
	}
	if !isDigits(rest[:end]) {
		return bytes.Contains(rest, nsop)
	}
	value := bytes.TrimLeft(rest[end:], " \t")
	return len(value) == 0 || value[0] == '.' || value[0] == '-' || value[0] == '+' || value[0] == 'N' || value[0] == 'I' || isDigits(value[:1])
}

func isDigits(s []byte) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(s) > 0
}

// loose takes a line that holds figures but does not start with a name.
func (p *repairer) loose(line []byte) {
	if i := bytes.Index(line, prefix); i > 0 && isName(line[i+len(prefix):]) {
		if f := bytes.Fields(line[i:]); len(f) > 1 {
			if m := figures.FindSubmatch(line[i+len(f[0]):]); m != nil {
				p.close()
				p.emit(f[0], m[1])
				return
			}
		}
	}
	m := figures.FindSubmatch(line)
	if m == nil || p.open == nil {
		p.in.Add(Unparsable, p.line, "figures without a benchmark name: %s", quote(line))
		return
	}
	name := p.open
	p.open = nil
	p.emit(name, m[1])
}

func (p *repairer) emit(name, rest []byte) {
	p.in.Add(Recovered, p.line, "%s was torn apart by other output", quote(name))
	p.buf = append(p.buf, name...)
	p.buf = append(p.buf, '\t')
	p.buf = append(p.buf, rest...)
}

func (p *repairer) expect(name []byte, torn bool) {
	p.close()
	p.open, p.openLine, p.torn = bytes.Clone(name), p.line, torn
}

// close gives up on a name whose figures never came.
func (p *repairer) close() {
	if p.open != nil && p.torn {
		kind := Unparsable
		if p.err == io.EOF {
			kind = Truncated
		}
		p.in.Add(kind, p.openLine, "%s has no figures", quote(p.open))
	}
	p.open = nil
}

// isName tells BenchmarkFoo and Benchmark_foo from the prose "Benchmarking", by the testing package's own rule.
func isName(rest []byte) bool {
	r, _ := utf8.DecodeRune(rest)
	return len(rest) > 0 && !unicode.IsLower(r) && !unicode.IsSpace(r) && r != ':'
}

// isProtocol recognises what go test itself prints around results.
func isProtocol(line []byte) bool {
	for _, p := range []string{"PASS", "ok  \t", "=== RUN", "=== PAUSE", "=== CONT", "=== NAME", "--- PASS", "--- BENCH", "?   \t", "testing: "} {
		if bytes.HasPrefix(line, []byte(p)) {
			return true
		}
	}
	return false
}

func isFailure(line []byte) bool {
	for _, p := range []string{"FAIL", "--- FAIL", "panic: ", "fatal error: ", "exit status ", "WARNING: DATA RACE"} {
		if bytes.HasPrefix(line, []byte(p)) {
			return true
		}
	}
	return false
}

// isConfig recognises the configuration keys that mean something to us.
func isConfig(line []byte) bool {
	key, _, ok := bytes.Cut(line, []byte(": "))
	if !ok {
		return false
	}
	switch string(key) {
	case "goos", "goarch", "pkg", "cpu", "go", "gomaxprocs", "execution", "emulator", "date":
		return true
	}
	return false
}
