package command

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// A module is the main script, in one of Node's two kinds.
type module struct {
	script
	reads   bool          // the script may read files, and thus know where it is
	promise *goja.Promise // of the top level of an ES module
}

// main returns the function that runs the module.
func (m *module) main(rt *gojaloop.Runtime) func(*goja.Runtime) error {
	return func(vm *goja.Runtime) error {
		if m.reads {
			if wd, err := os.Getwd(); err == nil {
				_ = vm.Get("process").ToObject(vm).Set("cwd", func() string { return filepath.ToSlash(wd) })
			}
		}
		if m.src = strings.TrimPrefix(m.src, "\uFEFF"); strings.HasPrefix(m.src, "#!") {
			m.src = "//" + m.src
		}
		if m.isES() {
			return m.runES(vm)
		}
		return m.runCommonJS(vm)
	}
}

// pending reports whether the top level still awaits.
func (m *module) pending() bool {
	return m.promise != nil && m.promise.State() == goja.PromiseStatePending
}

// isES reports whether the file is an ES module, by Node's rules; TypeScript is.
func (m *module) isES() bool {
	switch filepath.Ext(m.name) {
	case ".mjs", ".mts", ".ts":
		return true
	case ".js":
		return packageType(filepath.Dir(m.name)) == "module"
	}
	return false
}

var typeField = regexp.MustCompile(`"type"\s*:\s*"(\w+)"`)

// packageType is the type that the nearest package.json states.
func packageType(dir string) string {
	for {
		if data, err := os.ReadFile(filepath.Join(dir, "package.json")); err == nil {
			if found := typeField.FindSubmatch(data); found != nil {
				return string(found[1])
			}
			return ""
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// runCommonJS runs a script as Node runs .js files: as a function with require and module, or, when it was typed in,
// as a script. What the engine cannot parse is tried again in older JavaScript.
func (m *module) runCommonJS(vm *goja.Runtime) error {
	typed := strings.HasPrefix(m.name, "[")
	wrap := wrapModule
	if typed {
		wrap = func(src string) string { return src }
	}
	prg, err := gojaloop.Compile(m.name, wrap(m.src))
	if err != nil {
		older, lowered := lower(m.name, m.src)
		if lowered != nil {
			if importsOrExports.MatchString(m.src) && !typed {
				return m.runES(vm)
			}
			return err
		}
		again, stillBad := gojaloop.Compile(m.name, wrap(older))
		if stillBad != nil {
			return err // the message is about the source as it was written
		}
		prg = again
	}
	v, err := vm.RunProgram(prg)
	if err != nil || typed {
		return err
	}
	exports, mod := vm.NewObject(), vm.NewObject()
	_ = mod.Set("exports", exports)
	_ = mod.Set("id", ".")
	_ = mod.Set("filename", m.name)
	if require, ok := vm.Get("require").(*goja.Object); ok {
		_ = require.Set("main", mod)
	}
	body, _ := goja.AssertFunction(v)
	_, err = body(exports, exports, vm.Get("require"), mod, vm.ToValue(m.name), vm.ToValue(filepath.ToSlash(filepath.Dir(m.name))))
	return err
}

// wrapModule makes the text of a module that of a function, on the same lines.
func wrapModule(src string) string {
	return "(function (exports, require, module, __filename, __dirname) {" + src + "\n})"
}

// transform rewrites a file that require loads if the engine cannot parse it as it is.
func transform(name, src string) (string, error) {
	if _, err := gojaloop.Compile(name, wrapModule(src)); err == nil {
		return src, nil
	} else if older, bad := lower(name, src); bad == nil {
		return older, nil
	} else {
		return "", err
	}
}

var importsOrExports = regexp.MustCompile(`(?m)^\s*(import|export)\b`)

// runES bundles an ES module with what it imports, and runs it as a promise job, as Node does.
func (m *module) runES(vm *goja.Runtime) error {
	src, err := bundle(m.name)
	if err != nil {
		return err
	}
	prg, err := gojaloop.Compile(m.name, "Promise.resolve().then(async () => {"+src+"\n})")
	if err != nil {
		return err
	}
	v, err := vm.RunProgram(prg)
	if err != nil {
		return err
	}
	p, ok := v.Export().(*goja.Promise)
	if !ok {
		return fmt.Errorf("the module has changed Promise")
	}
	m.promise = p
	return nil
}
