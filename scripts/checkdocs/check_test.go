package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// folder makes a folder of the files the working directory.
func folder(t *testing.T, files map[string]string) (names []string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func TestSentencesOfAPage(t *testing.T) {
	var have []string
	for _, p := range markdown("# A short title here\n<!-- a:begin -->\nA program wrote this sentence.\n<!-- a:end -->\n\nOne two three four. Five six\nseven `a b c d e`: Nine ten eleven twelve.\n- An item of four words\n\n| a table has no sentences |\n```go\nvar code int = 1\n```\n") {
		have = append(have, sentences(p.text)...)
	}
	want := []string{"A short title here", "One two three four.", "Five six seven X:", "Nine ten eleven twelve.", "An item of four words"}
	if !slices.Equal(have, want) {
		t.Errorf("%q, want %q", have, want)
	}
}

func TestCommentsThatGoDocShowsAreExported(t *testing.T) {
	found, err := comments("x.go", []byte("// Package x is documented.\npackage x\n\n// F is exported.\n//go:noinline\nfunc F() {\n\t// inside of F\n}\n\n// g is not.\nfunc g() {}\n\n// T is a type.\ntype T struct {\n\tA int // the field A\n\tb int // the field b\n}\n\n//\tcode()\n\n// M is a method.\nfunc (t *T) M() {}\n"))
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, p := range found {
		have[strings.TrimSpace(p.text)] = p.exported
	}
	want := map[string]bool{"Package x is documented.": true, "F is exported.": true, "inside of F": false, "g is not.": false, "T is a type.": true, "the field A": true, "the field b": false, "M is a method.": true}
	for text, exported := range want {
		if got, ok := have[text]; !ok || got != exported {
			t.Errorf("%s: found %v, exported %v, want %v", text, ok, got, exported)
		}
	}
	if len(have) != len(want) {
		t.Errorf("%v", have)
	}
}

func TestAFolderMayHaveAsManyHardSentencesAsItsLimitAndNoMore(t *testing.T) {
	hard := "Whoever waits is told of it. "
	files := folder(t, map[string]string{limitsFile: "3 docs\n", "docs/a.md": hard + hard + hard, "README.md": strings.Repeat("A plain sentence of six words. ", 99) + hard})
	if err := checkProse(io.Discard, files, 0, false); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile("docs/a.md", []byte(strings.Repeat(hard, 4)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := checkProse(io.Discard, files, 0, false); err == nil || !strings.Contains(err.Error(), "docs: 4 of 4") {
		t.Error(err)
	}
	if err := os.WriteFile("docs/a.md", []byte(hard+hard), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := checkProse(io.Discard, files, 0, true); err != nil {
		t.Error(err)
	}
	if limits, err := readLimits(limitsFile); err != nil || len(limits) != 1 || limits["docs"] != 2 {
		t.Errorf("the limit has not fallen: %v, %v", limits, err)
	}
}

func TestLinksLeadSomewhere(t *testing.T) {
	files := folder(t, map[string]string{
		"README.md": "[a](docs/a.md#the-first-part) [b](#here) [c](https://example.com) `[d](none.md)`\n\n## Here\n",
		"docs/a.md": "# The `first` part\n<img src=\"../p.svg\">\n",
		"p.svg":     "",
		"x.go":      "package x // docs/a.md\n",
	})
	if err := checkLinks(files); err != nil {
		t.Error(err)
	}
	for _, fault := range []struct{ file, text, want string }{
		{"README.md", "[a](docs/b.md)", "leads nowhere"},
		{"README.md", "[a](docs/a.md#second)", "no heading"},
		{"docs/a.md", `<img src="q.svg">`, "leads nowhere"},
		{"x.go", "package x // docs/gone.md", "does not exist"},
	} {
		old, err := os.ReadFile(fault.file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(fault.file, []byte(fault.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := checkLinks(files); err == nil || !strings.Contains(err.Error(), fault.want) {
			t.Errorf("%s: %v", fault.text, err)
		}
		if err := os.WriteFile(fault.file, old, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCodeOfPagesIsCompiled(t *testing.T) {
	fence := func(before, code string) string { return before + "```go\n" + code + "\n```\n" }
	for _, c := range []struct{ page, want string }{
		{fence("", `fmt.Println("a statement")`), ""},
		{fence("<!-- go: (ctx context.Context) error -->\n", "unused := ctx\nreturn context.Cause(ctx)"), ""},
		{fence("", "func f() int { return 1 }"), ""},
		{fence("<!-- go: type T struct{}; (t T) -->\n", "var u T = t"), ""},
		{fence("<!-- go: type T struct{ n int } -->\n", "func f(t T) int { return t.n }"), ""},
		{fence("", "package main\n\nfunc main() { println(1) }"), ""},
		{fence("", "fmt.Printn()"), "undefined"},
		{fence("", "return 1 +"), "no Go"},
		{fence("<!-- go: (n int) -->\n", "var s string = n"), "cannot use n"},
		{fence("<!-- code: x_test.go -->\n", "is checked elsewhere"), ""},
	} {
		folder(t, map[string]string{"go.mod": "module example.com/x\n", "README.md": c.page})
		err := checkCode([]string{"README.md"})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s%v, want %q", c.page, err, c.want)
		}
	}
}
