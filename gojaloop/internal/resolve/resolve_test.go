package resolve_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/gojaloop/internal/resolve"
)

// tree are the files of the table. Each is empty but for package.json files.
var tree = map[string]string{
	"app/main.js": "", "app/lib.js": "", "app/data.json": "{}", "app/both.js": "", "app/both/index.js": "", "app/folder/index.js": "",
	"app/jsonindex/index.json": "{}", "app/withmain/package.json": `{"main":"./lib/start"}`, "app/withmain/lib/start.js": "",
	"app/badmain/package.json": `{"main":"gone"}`, "app/badmain/index.js": "",
	"app/nomain/package.json": `{"main":"gone"}`, "app/nomain/other.js": "",
	"app/mainfolder/package.json": `{"main":"lib"}`, "app/mainfolder/lib/index.js": "",
	"app/broken/package.json": `{`, "app/broken/index.js": "",
	"app/noext": "", "app/dotted.min.js": "", "app/name.js.js": "",
	"app/package.json": `{"name":"self","exports":{".":"./lib.js","./data":"./data.json","./sub/*":"./sub/*.js"},
		"imports":{"#lib":"./lib.js","#pkg":"plain","#node":"fs","#in/*":"./sub/*.js","#null":null,"#cond":{"browser":"./both.js","default":"./data.json"},"#bad":"../x.js","#gone":"./gone.js"}}`,
	"app/sub/a.js": "", "app/sub/deep/b.js": "",
	"node_modules/upper/index.js":              "",
	"app/node_modules/plain/index.js":          "",
	"app/node_modules/plain/file.js":           "",
	"app/node_modules/plain/dir/index.js":      "",
	"app/node_modules/single.js":               "",
	"app/node_modules/@scope/pkg/package.json": `{"main":"m.js"}`, "app/node_modules/@scope/pkg/m.js": "", "app/node_modules/@scope/pkg/x/y.js": "",
	"app/node_modules/sugar/package.json": `{"exports":"./s.js"}`, "app/node_modules/sugar/s.js": "", "app/node_modules/sugar/t.js": "",
	"app/node_modules/cond/package.json": `{"exports":{"import":"./i.mjs","require":"./r.js","default":"./d.js"}}`,
	"app/node_modules/cond/i.mjs":        "", "app/node_modules/cond/r.js": "", "app/node_modules/cond/d.js": "",
	"app/node_modules/order/package.json": `{"exports":{"default":"./d.js","require":"./r.js"}}`, "app/node_modules/order/d.js": "", "app/node_modules/order/r.js": "",
	"app/node_modules/nested/package.json": `{"exports":{".":{"node":{"require":"./nr.js"},"default":"./d.js"},"./only":{"browser":"./b.js"},"./array":["bad","./d.js"],"./none":[],"./null":null,"./gone":"./gone.js","./up":"./../x.js","./nm":"./node_modules/x.js","./plain":"plain"}}`,
	"app/node_modules/nested/nr.js":        "", "app/node_modules/nested/d.js": "", "app/node_modules/nested/b.js": "",
	"app/node_modules/pattern/package.json": `{"exports":{"./*":"./src/*.js","./a/*":"./other/*.js","./a/*.js":"./other/*.js","./secret/*":null,"./mid/*/end":"./src/*.js"}}`,
	"app/node_modules/pattern/src/x.js":     "", "app/node_modules/pattern/src/p/q.js": "", "app/node_modules/pattern/other/x.js": "", "app/node_modules/pattern/src/secret/x.js": "",
	"app/node_modules/mixed/package.json":       `{"exports":{".":"./x.js","require":"./x.js"}}`,
	"app/node_modules/numeric/package.json":     `{"exports":{".":{"0":"./x.js"}}}`,
	"app/node_modules/nullexports/package.json": `{"exports":null,"main":"m.js"}`, "app/node_modules/nullexports/m.js": "",
	"app/node_modules/user/index.js": "", "app/node_modules/user/node_modules/plain/index.js": "",
	"app/node_modules/fs/index.js": "",
}

var cases = []struct{ from, specifier string }{
	{"", "./lib"}, {"", "./lib.js"}, {"", "./data"}, {"", "./data.json"}, {"", "./both"}, {"", "./both/"}, {"", "./folder"}, {"", "./folder/"},
	{"", "./folder/index"}, {"", "./jsonindex"}, {"", "./withmain"}, {"", "./badmain"}, {"", "./nomain"}, {"", "./mainfolder"},
	{"", "./noext"}, {"", "./dotted.min"}, {"", "./name.js"}, {"", "./gone"}, {"", "."}, {"", "./"}, {"", ".."}, {"", "./folder/.."}, {"", "./folder/../lib"},
	{"sub/a.js", ".."}, {"sub/a.js", "../lib"}, {"sub/a.js", "./deep/b"}, {"sub/deep/b.js", "plain"}, {"", "/gone"},
	{"", "fs"}, {"", "node:fs"}, {"", "fs/"}, {"", "test"}, {"", "node:test"}, {"", "fs/promises"},
	{"", "plain"}, {"", "plain/"}, {"", "plain/file"}, {"", "plain/file.js"}, {"", "plain/dir"}, {"", "plain/gone"}, {"", "single"}, {"", "upper"}, {"", "gone"},
	{"", "@scope/pkg"}, {"", "@scope/pkg/x/y"}, {"", "@scope"}, {"", "@scope/gone"}, {"", "@/x"},
	{"", "sugar"}, {"", "sugar/t.js"}, {"", "sugar/"}, {"", "cond"}, {"", "cond/r.js"}, {"", "cond/package.json"}, {"", "order"},
	{"", "nested"}, {"", "nested/only"}, {"", "nested/array"}, {"", "nested/none"}, {"", "nested/null"}, {"", "nested/gone"}, {"", "nested/up"}, {"", "nested/nm"}, {"", "nested/plain"}, {"", "nested/b.js"},
	{"", "pattern/x"}, {"", "pattern/p/q"}, {"", "pattern/a/x"}, {"", "pattern/a/x.js"}, {"", "pattern/secret/x"}, {"", "pattern/mid/x/end"}, {"", "pattern/"}, {"", "pattern"}, {"", "pattern/../x"}, {"", "pattern/gone"},
	{"", "mixed"}, {"", "numeric"}, {"", "nullexports"},
	{"", "self"}, {"", "self/data"}, {"", "self/sub/a"}, {"", "self/sub/deep/b"}, {"", "self/gone"}, {"sub/a.js", "self"},
	{"", "#lib"}, {"", "#pkg"}, {"", "#in/a"}, {"", "#null"}, {"", "#cond"}, {"", "#bad"}, {"", "#gone"}, {"", "#undefined"}, {"", "#"}, {"", "#/x"},
	{"node_modules/user/index.js", "plain"}, {"node_modules/user/index.js", "single"}, {"node_modules/user/index.js", "#lib"}, {"node_modules/user/index.js", "self"},
}

type onDisk struct{}

func (onDisk) IsFile(p string) (bool, error) {
	info, err := os.Stat(filepath.FromSlash(p))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && info.Mode().IsRegular(), nil
}

func (onDisk) Read(p string) ([]byte, error) { return os.ReadFile(filepath.FromSlash(p)) }

// lay writes the tree to a directory, whose name has no links in it.
func lay(t *testing.T) string {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range tree {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.ToSlash(dir)
}

func resolver() *resolve.Resolver {
	builtins := map[string]bool{"fs": true, "fs/promises": true, "test": true}
	return &resolve.Resolver{Files: onDisk{}, Builtin: func(name string) bool { return builtins[name] }}
}

func from(dir, file string) string {
	if file == "" {
		file = "main.js"
	}
	return path.Join(dir, "app", file)
}

// answer is a path, or the code of an error.
func answer(p string, err error) string {
	var e *resolve.Error
	switch {
	case errors.As(err, &e):
		return e.Code
	case err != nil:
		return err.Error()
	}
	return strings.TrimPrefix(p, "node:")
}

func TestRequireFindsWhatNodeFinds(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node, which this compares with, is not installed")
	}
	dir := lay(t)
	type question struct{ From, Specifier string }
	questions := make([]question, len(cases))
	for i, c := range cases {
		questions[i] = question{from(dir, c.from), c.specifier}
	}
	text, err := json.Marshal(questions)
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd := exec.Command(node, "-e", `
		const { createRequire } = require('module');
		const answers = JSON.parse(process.argv[1]).map(({ From, Specifier }) => {
			try { return createRequire(From).resolve(Specifier).replace(/^node:/, '').replaceAll('\\', '/') } catch (e) { return e.code || e.name }
		});
		console.log(JSON.stringify(answers));`, string(text))
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err, stderr.String())
	}
	var want []string
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	r := resolver()
	for i, q := range questions {
		got := answer(r.Resolve(resolve.Request{Specifier: q.Specifier, From: q.From, Conditions: []string{"node", "require"}}))
		if got != want[i] {
			t.Errorf("%s from %s: %s, and node %s", q.Specifier, q.From, got, want[i])
		}
	}
}

// Node 20 answers these otherwise than its documentation.
func TestRequireFollowsTheDocumentationWhereNodeDoesNot(t *testing.T) {
	dir := lay(t)
	r := resolver()
	for specifier, want := range map[string]string{"./broken": "ERR_INVALID_PACKAGE_CONFIG", "#node": "fs", "node:gone": "ERR_UNKNOWN_BUILTIN_MODULE"} {
		if got := answer(r.Resolve(resolve.Request{Specifier: specifier, From: from(dir, ""), Conditions: []string{"node", "require"}})); got != want {
			t.Errorf("%s: %s, want %s", specifier, got, want)
		}
	}
}

func TestImportFindsExactFiles(t *testing.T) {
	dir := lay(t)
	r := resolver()
	for specifier, want := range map[string]string{
		"./lib.js": "app/lib.js", "./lib": "ERR_MODULE_NOT_FOUND", "./folder": "ERR_MODULE_NOT_FOUND", "plain": "app/node_modules/plain/index.js",
		"plain/file": "ERR_MODULE_NOT_FOUND", "plain/file.js": "app/node_modules/plain/file.js", "cond": "app/node_modules/cond/i.mjs",
		"@scope/pkg": "app/node_modules/@scope/pkg/m.js", "gone": "ERR_MODULE_NOT_FOUND", "#lib": "app/lib.js", "nested/gone": "ERR_MODULE_NOT_FOUND",
		"@": "ERR_INVALID_MODULE_SPECIFIER",
	} {
		got := answer(r.Resolve(resolve.Request{Specifier: specifier, From: from(dir, ""), Conditions: []string{"node", "import"}, Import: true}))
		if got = strings.TrimPrefix(got, dir+"/"); got != want {
			t.Errorf("%s: %s, want %s", specifier, got, want)
		}
	}
}

func TestAPackageNamesItsSubstitutesForABrowser(t *testing.T) {
	dir := filepath.ToSlash(t.TempDir())
	text := `{"browser":{"net":false,"tls":"./tls.js","zlib":"pako"}}`
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	r := resolver()
	for specifier, want := range map[string]string{"net": "", "tls": path.Join(dir, "tls.js"), "zlib": "pako"} {
		if got, ok := r.Browser(specifier, path.Join(dir, "lib", "x.js")); !ok || got != want {
			t.Errorf("%s: %q, %t", specifier, got, ok)
		}
	}
	if got, ok := r.Browser("dns", path.Join(dir, "x.js")); ok {
		t.Errorf("dns: %q", got)
	}
}

func TestWhatMayNotBeReadEndsTheSearch(t *testing.T) {
	r := &resolve.Resolver{Files: refusing{}, Builtin: func(string) bool { return false }}
	if _, err := r.Resolve(resolve.Request{Specifier: "./x", From: "/a/b.js"}); !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
}

type refusing struct{}

func (refusing) IsFile(string) (bool, error) { return false, fs.ErrPermission }
func (refusing) Read(string) ([]byte, error) { return nil, fs.ErrPermission }
