package programs

import (
	"errors"
	"flag"
	"fmt"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the numbers of lines into README.md")

const begin, end = "<!-- lines:begin -->\n", "<!-- lines:end -->\n"

func TestTheLinesInTheDocumentAreThoseOfThePrograms(t *testing.T) {
	const page = "README.md"
	if _, err := os.Stat(filepath.Join("..", "..", "go.work")); errors.Is(err, fs.ErrNotExist) {
		t.Skip("this is a copy of the module without its repository, which has the document")
	}
	var want strings.Builder
	fmt.Fprint(&want, "| program | plain Go | with the loop | Node |\n|---|--:|--:|--:|\n")
	for _, name := range []string{"chat", "jobs", "pipeline", "pubsub", "plugins"} {
		fmt.Fprintf(&want, "| [%s](%[1]s) | %d | %d |", name, goLines(t, name, "plain"), goLines(t, name, "loop"))
		text, err := os.ReadFile(filepath.Join(name, name+".js"))
		switch {
		case err == nil:
			fmt.Fprintf(&want, " %d |\n", lines(string(text)))
		case errors.Is(err, fs.ErrNotExist):
			fmt.Fprint(&want, " |\n")
		default:
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(have), begin)
	table, after, ok := strings.Cut(rest, end)
	switch {
	case !ok:
		t.Errorf("%s has no place for the table", page)
	case table == want.String():
	case *update:
		if err := os.WriteFile(page, []byte(before+begin+want.String()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s does not have the numbers of lines; go test . -update writes them:\n%s", page, want.String())
	}
}

// goLines counts the lines of a package without comments, blank lines and imports.
func goLines(t *testing.T, program, way string) (n int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(program, way, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, 0) // without comments
		if err != nil {
			t.Fatal(err)
		}
		parsed.Decls = parsed.Decls[1:] // the imports
		var text strings.Builder
		if err := (&printer.Config{Mode: printer.TabIndent}).Fprint(&text, set, parsed); err != nil {
			t.Fatal(err)
		}
		n += lines(text.String())
	}
	return n
}

// lines counts lines, without blank lines and line comments.
func lines(text string) (n int) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			n++
		}
	}
	return n
}
