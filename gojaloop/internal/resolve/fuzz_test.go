package resolve_test

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/gojaloop/internal/resolve"
)

// inMemory are files by path.
type inMemory map[string]string

func (m inMemory) IsFile(p string) (bool, error) {
	_, is := m[p]
	return is, nil
}

func (m inMemory) Read(p string) ([]byte, error) {
	text, is := m[p]
	if !is {
		return nil, fs.ErrNotExist
	}
	return []byte(text), nil
}

// Any specifier, in a package of any description, leads to a file that exists, to a built-in module, or to an error of Node's.
// The description of a package leads to files of that package only.
func FuzzAResolvedFileExistsAndLiesInItsPackage(f *testing.F) {
	for name, text := range tree {
		if path.Base(name) == "package.json" {
			f.Add(text, "pkg", false)
			f.Add(text, "pkg/a", true)
			f.Add(text, "#lib", false)
		}
	}
	f.Add(`{"exports":{"./*":"./*"}}`, "pkg/../../secret", true)
	f.Add(`{"exports":{"./*":"./*"}}`, "pkg/%2e%2e/secret", false)
	f.Add(`{"exports":{"./*":"./lib/*/x"}}`, "pkg/a\x00", false)
	f.Add(`{"exports":{"a":{"b":["./lib/a.js",null]}}}`, "pkg/./", false)
	f.Fuzz(func(t *testing.T, description, specifier string, imports bool) {
		files := inMemory{
			"/secret.js": "", "/app/secret.js": "", "/app/main.js": "", "/app/node_modules/secret.js": "", "/app/node_modules/pkg/package.json": description,
			"/app/node_modules/pkg/index.js": "", "/app/node_modules/pkg/lib/a.js": "", "/app/node_modules/pkg/node_modules/own/index.js": "",
			"/app/node_modules/other/index.js": "",
		}
		for _, from := range []string{"/app/main.js", "/app/node_modules/pkg/index.js"} {
			r := &resolve.Resolver{Files: files, Builtin: func(name string) bool { return name == "fs" }}
			p, err := r.Resolve(resolve.Request{Specifier: specifier, From: from, Conditions: []string{"require", "node"}, Import: imports})
			var refused *resolve.Error
			if err != nil {
				if !errors.As(err, &refused) || refused.Code == "" || refused.Class == "" {
					t.Fatalf("%q from %s: %v is not an error of Node's", specifier, from, err)
				}
				continue
			}
			if name, builtin := strings.CutPrefix(p, "node:"); builtin {
				if name != "fs" {
					t.Fatalf("%q from %s is the built-in module %q", specifier, from, name)
				}
				continue
			}
			if _, exists := files[p]; !exists {
				t.Fatalf("%q from %s is %q, which does not exist", specifier, from, p)
			}
			if pkg := "/app/node_modules/pkg"; strings.HasPrefix(specifier, "pkg/") && !strings.HasPrefix(p, pkg+"/") && !strings.Contains(specifier, "..") {
				t.Fatalf("%q from %s is %q, outside of the package", specifier, from, p)
			}
		}
	})
}
