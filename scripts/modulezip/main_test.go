package main

import (
	"archive/zip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree writes files, by path and text.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestAnArchiveHasTheFilesOfItsModuleAndNoneOfTheModulesFurtherDown(t *testing.T) {
	dir := tree(t, map[string]string{
		"go.mod": "module example.com/a\n", "a.go": "package a\n", "sub/b.go": "package sub\n",
		"docs/go.mod": "module example.com/a/docs\n", "docs/large.json": "[]",
	})
	proxy := t.TempDir()
	if _, err := publish(proxy, "v1.2.3", dir); err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(proxy, "example.com", "a", "@v")
	for name, want := range map[string]string{"list": "v1.2.3\n", "v1.2.3.mod": "module example.com/a\n", "v1.2.3.info": `"Version":"v1.2.3"`} {
		if text, err := os.ReadFile(filepath.Join(at, name)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	archive, err := zip.OpenReader(filepath.Join(at, "v1.2.3.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	var names []string
	for _, f := range archive.File {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	want := []string{"example.com/a@v1.2.3/a.go", "example.com/a@v1.2.3/go.mod", "example.com/a@v1.2.3/sub/b.go"}
	if !slices.Equal(names, want) {
		t.Errorf("archive of %v, want %v", names, want)
	}
}

func TestAModuleThatCouldNotBeInstalledIsRefused(t *testing.T) {
	for want, test := range map[string]struct{ version, goMod string }{
		"replaces example.com/b": {"v1.0.0", "module example.com/a\nreplace example.com/b => ../b\n"},
		"v2.0.0":                 {"v2.0.0", "module example.com/a\n"},
		"not a semantic version": {"1.0", "module example.com/a\n"},
	} {
		_, err := publish(t.TempDir(), test.version, tree(t, map[string]string{"go.mod": test.goMod}))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", test, err, want)
		}
	}
}
