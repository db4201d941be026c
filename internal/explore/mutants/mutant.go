// Command mutants shows that the exploration of schedules, and the ordinary tests beside it, find faults. It puts
// known ones into the code, one after the other, and counts the schedules until each is found. The product is
// unchanged: the compiler gets the changed files in place of the repository's.
//
//	go run ./internal/explore/mutants -o docs/results/reliability/mutants.txt
//	go run ./internal/explore/mutants -quick
//	go run ./internal/explore/mutants -run 'wake|settle'
//
// The last line of its table has the number of faults found. The command fails if one was not.
package main

import (
	"encoding/json"
	"fmt"
	"go/scanner"
	"go/token"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A mutant is a fault that is put into the code.
type mutant struct {
	name  string
	issue string // the fault of that number that was found before, or ""
	edits []edit
	in    string // folder of the package whose test is to find it
	test  string // family of programs, or an ordinary test
	most  int    // schedules in which it must be found; 0 for an ordinary test
	quick bool   // also without much time
}

// An edit replaces some tokens that the files of a folder, tests aside, have exactly once. Comments and white space between them
// do not matter.
type edit struct{ folder, old, new string }

// A verdict is the result for a mutant.
type verdict struct {
	found     bool
	schedules int
	how       string // the first line of the failure
	err       error  // it could not be tried
}

// changed returns the files that a mutant changes, as they become.
func (m *mutant) changed(root string) (map[string]string, error) {
	files := make(map[string]string)
	for _, e := range m.edits {
		paths, err := filepath.Glob(filepath.Join(root, e.folder, "*.go"))
		if err != nil {
			return nil, err
		}
		n := 0
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			text, changed := files[path]
			if !changed {
				read, err := os.ReadFile(path)
				if err != nil {
					return nil, err
				}
				text = string(read)
			}
			for from, to := range occurrences(text, e.old) {
				if n++; n == 1 {
					files[path] = text[:from] + e.new + text[to:]
				}
			}
		}
		if n != 1 {
			return nil, fmt.Errorf("the files in %s have the code to replace %d times:\n%s", e.folder, n, e.old)
		}
	}
	return files, nil
}

// occurrences yields where in a source some code is, as tokens: the offsets of its begin and its end.
func occurrences(source, code string) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		in, of := tokens(source), tokens(code)
		for i := range len(in) - len(of) + 1 {
			if slices.EqualFunc(in[i:i+len(of)], of, func(a, b lexeme) bool { return a.text == b.text }) && !yield(in[i].from, in[i+len(of)-1].to) {
				return
			}
		}
	}
}

// A lexeme is a token of a source, with its place.
type lexeme struct {
	text     string
	from, to int
}

// tokens splits a source. It leaves out comments, and the semicolons that ends of lines stand for.
func tokens(source string) []lexeme {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(source))
	s.Init(file, []byte(source), nil, 0)
	var out []lexeme
	for {
		pos, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return out
		case tok == token.SEMICOLON && lit == "\n":
			continue
		case lit == "" || tok.IsOperator():
			lit = tok.String()
		}
		from := file.Offset(pos)
		out = append(out, lexeme{lit, from, from + len(lit)})
	}
}

// overlay writes the changed files of a mutant and the list of them that the compiler wants.
func (m *mutant) overlay(root, dir string) (list string, err error) {
	files, err := m.changed(root)
	if err != nil {
		return "", err
	}
	replace := make(map[string]string)
	for path, text := range files {
		to := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
			return "", err
		}
		replace[path] = to
	}
	if m.most > 0 && m.in != "tests/explore" { // the other tests take long to compile
		tests, err := filepath.Glob(filepath.Join(root, m.in, "*_test.go"))
		if err != nil {
			return "", err
		}
		for _, path := range tests {
			if !strings.HasPrefix(filepath.Base(path), "explore_") {
				replace[path] = ""
			}
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	list = filepath.Join(dir, "overlay.json")
	return list, os.WriteFile(list, text, 0o600)
}

var failing = regexp.MustCompile(`schedule (\d+) fails`)

// try builds the test with the mutant and runs it.
func (m *mutant) try(root string, seed int) verdict {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return verdict{err: err}
	}
	defer os.RemoveAll(dir)
	list, err := m.overlay(root, dir)
	if err != nil {
		return verdict{err: err}
	}
	binary := filepath.Join(dir, "test")
	build := []string{"test", "-c", "-ldflags", "-s -w", "-overlay", list, "-o", binary}
	if m.most > 0 {
		build = append(build, "-tags", "explore")
	}
	cmd := exec.Command("go", append(build, ".")...)
	cmd.Dir = filepath.Join(root, m.in)
	if out, err := cmd.CombinedOutput(); err != nil {
		return verdict{err: fmt.Errorf("%w\n%s", err, out)}
	}
	cmd = exec.Command(binary, "-test.run", "^"+m.test+"$", "-test.timeout", "90s", "-test.v")
	cmd.Dir = filepath.Join(root, m.in)
	cmd.Env = append(os.Environ(), "EXPLORE_RAW=1", fmt.Sprintf("EXPLORE_SCHEDULES=%d", m.most), fmt.Sprintf("EXPLORE_SEED=%d", seed))
	began := time.Now()
	out, err := cmd.CombinedOutput()
	v := verdict{found: err != nil, how: reason(string(out))}
	switch found := failing.FindSubmatch(out); {
	case !strings.Contains(string(out), "=== RUN"):
		v.err = fmt.Errorf("there is no test %s in %s\n%s", m.test, m.in, out)
	case found != nil:
		v.schedules, _ = strconv.Atoi(string(found[1]))
	case v.found && m.most > 0:
		v.how = fmt.Sprintf("%s (%v)", v.how, time.Since(began).Round(time.Second))
	}
	return v
}

var (
	failed = regexp.MustCompile(`(?m)^ *((?:check|panic|deadlock|livelock): .*)`)
	line   = regexp.MustCompile(`(?m)^ +\w+\.go:\d+: (.*)`)
)

// reason returns the first description of a failure in the output of a test.
func reason(out string) string {
	said := ""
	if f := failed.FindStringSubmatch(out); f != nil {
		said = f[1]
	} else if f := line.FindStringSubmatch(out); f != nil {
		said = f[1]
	}
	if len(said) > 110 {
		said = said[:110] + "…"
	}
	return said
}
