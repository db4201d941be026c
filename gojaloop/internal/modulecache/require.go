package modulecache

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"runtime"
	"strings"
	"text/template"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
	"github.com/dop251/goja_nodejs/require"
)

// A Requirer is require for one runtime. It finds files by Node's rules, as the require of goja_nodejs does, of which it
// takes the modules that are made in Go.
type Requirer struct {
	vm      *goja.Runtime
	source  Source
	native  *require.RequireModule
	files   map[string]*goja.Object // modules by their paths
	located map[string]*goja.Object // modules of packages by where they were asked for
}

// A Source gives modules their texts.
type Source struct {
	// Read returns what is in a file. It fails with [require.ModuleFileDoesNotExistError] if there is none.
	Read func(path string) (string, error)

	// Mend turns the text of a script into one that the engine can run.
	Mend func(path, src string) (string, error)
}

// New makes require for a runtime, and defines it as goja_nodejs does. Registry has the modules that are made in Go, and is
// not asked for files.
func New(vm *goja.Runtime, registry *require.Registry, source Source) *Requirer {
	return &Requirer{
		vm: vm, source: source, native: registry.Enable(vm),
		files: make(map[string]*goja.Object), located: make(map[string]*goja.Object),
	}
}

// Require returns the exports of a module. In a script that calls it, paths are relative to the script's file.
func (r *Requirer) Require(name string) (goja.Value, error) {
	module, err := r.find(name)
	switch {
	case err != nil:
		return nil, err
	case module == nil:
		return r.native.Require(name)
	}
	return module.Get("exports"), nil
}

// find returns nil for a module that is made in Go.
func (r *Requirer) find(name string) (*goja.Object, error) {
	if !isPath(name) {
		if _, err := r.native.Require(name); !errors.Is(err, require.InvalidModuleError) {
			return nil, err
		}
	}
	start := ""
	if !filepath.IsAbs(name) {
		start = r.directory()
	}
	path := require.DefaultPathResolver(start, name)
	known, search := r.files, r.fileOrDirectory
	if !isPath(name) {
		known = r.located
		search = func(string) (*goja.Object, error) { return r.inPackages(name, start) }
	}
	if module := known[path]; module != nil {
		return module, nil
	}
	module, err := search(path)
	switch {
	case err != nil:
		return nil, err
	case module == nil:
		return nil, require.InvalidModuleError
	}
	known[path] = module
	return module, nil
}

// directory is where the script is that calls require.
func (r *Requirer) directory() string {
	var buf [2]goja.StackFrame
	frames := r.vm.CaptureCallStack(2, buf[:0])
	if len(frames) < 2 {
		return "."
	}
	return filepath.Dir(frames[1].SrcName())
}

// inPackages looks into the node_modules of a directory and of those above it.
func (r *Requirer) inPackages(name, dir string) (*goja.Object, error) {
	for {
		p := dir
		if filepath.Base(dir) != "node_modules" {
			p = filepath.Join(dir, "node_modules")
		}
		module, err := r.fileOrDirectory(require.DefaultPathResolver(p, name))
		parent := filepath.Dir(dir)
		if module != nil || err != nil || dir == ".." || parent == dir { // the parent of .. would be .
			return module, err
		}
		dir = parent
	}
}

func (r *Requirer) fileOrDirectory(path string) (*goja.Object, error) {
	if module, err := r.file(path); module != nil || err != nil {
		return module, err
	}
	if src, err := r.source.Read(require.DefaultPathResolver(path, "package.json")); err == nil {
		var description struct{ Main string }
		if json.Unmarshal([]byte(src), &description) == nil && description.Main != "" {
			path = require.DefaultPathResolver(path, description.Main)
			if module, err := r.file(path); module != nil || err != nil {
				return module, err
			}
		}
	}
	return r.first(require.DefaultPathResolver(path, "index.js"), require.DefaultPathResolver(path, "index.json"))
}

func (r *Requirer) file(path string) (*goja.Object, error) {
	return r.first(path, path+".js", path+".json")
}

// first loads the first file that is there.
func (r *Requirer) first(paths ...string) (*goja.Object, error) {
	for _, path := range paths {
		if module, err := r.load(path); module != nil || err != nil {
			return module, err
		}
	}
	return nil, nil
}

// load runs the file, unless it has. While it runs, who requires it gets what it has exported so far.
func (r *Requirer) load(path string) (*goja.Object, error) {
	if module := r.files[path]; module != nil {
		return module, nil
	}
	prg, err := r.compile(path)
	switch {
	case errors.Is(err, require.ModuleFileDoesNotExistError):
		return nil, nil
	case err != nil:
		return nil, err
	}
	module, exports := r.vm.NewObject(), r.vm.NewObject()
	_ = module.DefineDataProperty("exports", exports, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
	r.files[path] = module
	if err := r.run(prg, path, module, exports); err != nil {
		delete(r.files, path)
		return nil, err
	}
	return module, nil
}

func (r *Requirer) run(prg *goja.Program, path string, module, exports *goja.Object) error {
	v, err := r.vm.RunProgram(prg)
	if err != nil {
		return err
	}
	fn, ok := goja.AssertFunction(v)
	if !ok {
		return require.InvalidModuleError
	}
	_, err = fn(exports, exports, r.vm.Get("require"), module, r.vm.ToValue(path), r.vm.ToValue(filepath.Dir(path)))
	return err
}

// compile compiles a file, or finds what another runtime has compiled of the same text under the same path.
func (r *Requirer) compile(path string) (*goja.Program, error) {
	src, err := r.source.Read(path)
	if err != nil {
		return nil, err
	}
	compile := func() (*goja.Program, error) {
		var text string
		if filepath.Ext(path) == ".json" {
			text = "module.exports = JSON.parse('" + template.JSEscapeString(src) + "')"
		} else if text, err = r.source.Mend(path, src); err != nil {
			return nil, err
		}
		parsed, err := goja.Parse(path, "(function(exports,require,module,__filename,__dirname){"+text+"\n})", parser.WithSourceMapLoader(r.sourceMap))
		if err != nil {
			return nil, err
		}
		return goja.CompileAST(parsed, false)
	}
	if strings.Contains(src, "sourceMappingURL") {
		return compile() // the map may be in a file that other runtimes must not see
	}
	return Get(path, src, compile)
}

func (r *Requirer) sourceMap(path string) ([]byte, error) {
	src, err := r.source.Read(path)
	return []byte(src), err
}

func isPath(name string) bool {
	return name == "." || name == ".." || strings.HasPrefix(name, "/") || strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") ||
		runtime.GOOS == "windows" && (strings.HasPrefix(name, `.\`) || strings.HasPrefix(name, `..\`) || filepath.IsAbs(name))
}
