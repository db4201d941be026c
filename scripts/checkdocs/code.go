package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// A block of Go code is a file, declarations, or statements. A comment before it declares the names that it uses, first types and
// variables and then a signature: <!-- go: type T struct{}; (ctx context.Context, t T) error -->. With a signature the block is the
// body of a function. A block behind <!-- code: … --> is written by examples/cookbook from code that its tests run.
var goBlock = regexp.MustCompile("(?ms)^(?:<!-- (code|go): *([^\n]*?) *-->\n)?```go\n(.*?)^```$")

// packages are the imports that blocks need not name.
var packages = map[string]string{
	"atomic": "sync/atomic", "bufio": "bufio", "cmp": "cmp", "context": "context", "errors": "errors", "expvar": "expvar", "fmt": "fmt",
	"http": "net/http", "io": "io", "json": "encoding/json", "log": "log", "net": "net", "os": "os", "slices": "slices", "slog": "log/slog",
	"strings": "strings", "sync": "sync", "syscall": "syscall", "synctest": "testing/synctest", "testing": "testing", "time": "time",
	"tls": "crypto/tls", "trace": "runtime/trace",

	"eventloop": root, "adapter": root + "/adapter", "gojaloop": root + "/gojaloop", "inspect": root + "/inspect", "js": root + "/js",
	"loopgroup": root + "/loopgroup", "loopnet": root + "/loopnet", "loopsource": root + "/loopsource", "looptest": root + "/looptest",
	"loopview": root + "/loopview", "natsloop": root + "/natsloop", "nodecompat": root + "/gojaloop/nodecompat", "otelloop": root + "/otelloop",
	"promise": root + "/promise", "promloop": root + "/promloop", "sandbox": root + "/gojaloop/sandbox",
	"command": root + "/tournament/command", "contestant": root + "/tournament/contestant", "contestants": root + "/tournament/contestants",
	"contestanttest": root + "/tournament/contestant/contestanttest",

	"goja": "github.com/dop251/goja", "jetstream": "github.com/nats-io/nats.go/jetstream", "nats": "github.com/nats-io/nats.go",
	"otel": "go.opentelemetry.io/otel", "prometheus": "github.com/prometheus/client_golang/prometheus", "rate": "golang.org/x/time/rate",
}

const (
	root    = "github.com/eventloop-go/eventloop"
	readers = "example.com/" // begins the paths of packages that readers have, and we do not
)

type codeBlock struct {
	place string
	file  *ast.File
}

// checkCode type-checks the Go code of pages, unused variables apart.
func checkCode(pages []string) error {
	set := token.NewFileSet()
	var blocks []codeBlock
	var errs []error
	needed := make(map[string]bool)
	for _, name := range pages {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, m := range goBlock.FindAllStringSubmatchIndex(string(text), -1) {
			group := func(i int) string {
				if m[2*i] < 0 {
					return ""
				}
				return string(text[m[2*i]:m[2*i+1]])
			}
			if group(1) == "code" {
				continue
			}
			place := fmt.Sprintf("%s:%d", name, 1+strings.Count(string(text[:m[6]]), "\n"))
			file, err := parseBlock(set, place, group(2), group(3))
			if err != nil {
				errs = append(errs, err)
				continue
			}
			blocks = append(blocks, codeBlock{place, file})
			for _, i := range file.Imports {
				needed[strings.Trim(i.Path.Value, `"`)] = true
			}
		}
	}
	exports, err := exportData(needed)
	if err != nil {
		return err
	}
	imports := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("%s has not been built", path)
		}
		return os.Open(exports[path])
	})
	for _, b := range blocks {
		config := types.Config{Importer: imports, Error: func(err error) {
			if e := err.(types.Error); !e.Soft && !strings.Contains(e.Msg, readers) {
				errs = append(errs, fmt.Errorf("%s: the code does not compile: %s", b.place, e.Msg))
			}
		}}
		_, _ = config.Check("page", set, []*ast.File{b.file}, nil)
	}
	return errors.Join(errs...)
}

// parseBlock makes a file of a block, with the names that declare declares.
func parseBlock(set *token.FileSet, place, declare, code string) (*ast.File, error) {
	file := code
	if !strings.HasPrefix(code, "package ") && !strings.Contains(code, "\npackage ") {
		signature := declare
		if !strings.HasPrefix(declare, "(") {
			var function bool
			if declare, signature, function = strings.Cut(declare, "; ("); function {
				signature = "(" + signature
			}
		} else {
			declare = ""
		}
		file = "package page\n" + declare + "\n" + code
		if signature != "" || !parses(file) {
			if signature == "" {
				signature = "()"
			}
			file = "package page\n" + declare + "\nfunc _" + signature + " {\n" + code + "}\n"
		}
		if !parses(file) {
			_, err := parser.ParseFile(token.NewFileSet(), "", file, 0)
			return nil, fmt.Errorf("%s: the code is no Go: %w", place, err)
		}
		parsed, _ := parser.ParseFile(token.NewFileSet(), "", file, 0)
		seen := make(map[string]bool)
		for _, id := range parsed.Unresolved {
			if path := packages[id.Name]; path != "" && !seen[path] {
				seen[path] = true
				file = strings.Replace(file, "package page\n", fmt.Sprintf("package page\nimport %q\n", path), 1)
			}
		}
	}
	return parser.ParseFile(set, place, file, parser.SkipObjectResolution)
}

func parses(file string) bool {
	_, err := parser.ParseFile(token.NewFileSet(), "", file, 0)
	return err == nil
}

// exportData builds packages and returns the paths of the compiler's export data.
func exportData(paths map[string]bool) (map[string]string, error) {
	exports := make(map[string]string)
	if len(paths) == 0 {
		return exports, nil
	}
	args := []string{"list", "-export", "-deps", "-f", "{{if .Export}}{{.ImportPath}}\t{{.Export}}{{end}}"}
	for p := range paths {
		if !strings.HasPrefix(p, readers) {
			args = append(args, p)
		}
	}
	command := exec.Command("go", args...)
	command.Stderr = os.Stderr
	text, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		exports[path] = file
	}
	return exports, nil
}
