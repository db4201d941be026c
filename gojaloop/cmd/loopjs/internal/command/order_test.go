package command

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/internal/leakcheck"
)

func TestMain(m *testing.M) { leakcheck.Main(m) }

// loopjs runs the command as a user would.
func loopjs(t *testing.T, stdin string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Main(args, strings.NewReader(stdin), &out, &errs)
	return out.String(), errs.String(), code
}

// file writes a script to a directory of the test's.
func file(t *testing.T, name, src string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A scripted case is a script with the exact output that it must have.
type scripted struct{ Name, JS, Stdout string }

func runScripted(t *testing.T, path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var cases []scripted
	if err := json.Unmarshal(data, &cases); err != nil || len(cases) == 0 {
		t.Fatalf("%s holds %d cases: %v", path, len(cases), err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			out, errs, code := loopjs(t, "", file(t, "script.js", c.JS))
			if out != c.Stdout || code != 0 {
				t.Errorf("%s\nwrote %q\nwant  %q\ncode %d %s", c.JS, out, c.Stdout, code, errs)
			}
		})
	}
}

func TestOrderOfOurOwnScriptsIsNodes(t *testing.T) { runScripted(t, "testdata/order.json") }

func TestOrderOfTheSharedScriptsIsNodes(t *testing.T) {
	path := sharedData(t, "ordering.json")
	if path == "" {
		t.Skip("the shared ordering scripts are not on this machine: EVENTLOOP_SHARED is not set, and no folder above has shared/data/ordering.json")
	}
	runScripted(t, path)
}

// sharedData finds a file of the shared data: where EVENTLOOP_SHARED says, or beside the repository.
func sharedData(t *testing.T, name string) string {
	if dir := os.Getenv("EVENTLOOP_SHARED"); dir != "" {
		for _, path := range []string{filepath.Join(dir, "data", name), filepath.Join(dir, name)} {
			if _, err := os.Stat(path); err == nil {
				return path
			}
		}
		t.Fatalf("EVENTLOOP_SHARED is %s, but %s is not there", dir, name)
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		path := filepath.Join(dir, "shared", "data", name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}
