package cookbook

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the code of this folder into the documents")

var documents = []string{"README.md", "docs/start.md", "docs/cookbook.md", "docs/faq.md", "docs/servers.md", "docs/testing.md"}

// A document names the code that follows. <!-- code: FILE --> stands for a test file without its imports, or another file
// as it is. <!-- code: FILE FUNCTION --> is the body of a function, and <!-- code: FILE func FUNCTION --> all of it.
var block = regexp.MustCompile("(?s)<!-- code: ([^ ]+)(?: ([^>]+))? -->\n```go\n(.*?)```\n")

func TestTheCodeInTheDocumentsIsTheCodeThatRuns(t *testing.T) {
	root := filepath.Join("..", "..")
	if _, err := os.Stat(filepath.Join(root, "go.work")); errors.Is(err, fs.ErrNotExist) {
		t.Skip("this is a copy of the module without its repository, which has the documents")
	}
	shown := map[string]bool{}
	for _, name := range documents {
		path := filepath.Join(root, name)
		have, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := block.ReplaceAllFunc(have, func(b []byte) []byte {
			m := block.FindSubmatch(b)
			file, function := string(m[1]), string(m[2])
			shown[file] = true
			code, err := source(file, function)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return b
			}
			return fmt.Appendf(nil, "%s%s```\n", b[:bytes.Index(b, []byte("```go\n"))+len("```go\n")], code)
		})
		switch {
		case bytes.Equal(have, want):
		case *update:
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s does not show the code of examples/cookbook: go test . -update there writes it", name)
		}
	}
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if file != "check_test.go" && file != "documents_test.go" && !shown[file] {
			t.Errorf("no document shows %s", file)
		}
	}
}

// source returns what a document shows of a file.
func source(file, function string) (string, error) {
	text, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		return "", err
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, text, parser.ParseComments)
	if err != nil {
		return "", err
	}
	offset := func(p token.Pos) int { return set.Position(p).Offset }
	if function == "" {
		if !strings.HasSuffix(file, "_test.go") {
			return string(text), nil
		}
		imports := parsed.Decls[0].(*ast.GenDecl)
		return strings.TrimLeft(string(text[offset(imports.End()):]), "\n"), nil
	}
	function, whole := strings.CutPrefix(function, "func ")
	for _, d := range parsed.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Name.Name == function {
			if whole {
				begin := d.Pos()
				if d.Doc != nil {
					begin = d.Doc.Pos()
				}
				return string(text[offset(begin):offset(d.End())]) + "\n", nil
			}
			body, _, _ := strings.Cut(string(text[offset(d.Body.Lbrace)+2:offset(d.Body.Rbrace)]), "\t// Output:")
			return strings.ReplaceAll("\n"+body, "\n\t", "\n")[1:], nil
		}
	}
	return "", fmt.Errorf("%s has no function %s", file, function)
}
