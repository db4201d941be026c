package command

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop"
	"github.com/eventloop-go/eventloop/gojaloop/internal/detach"
)

// A module is the main script, in one of Node's two kinds.
type module struct {
	script
	reads   bool          // the script may read files, and thus know where it is
	promise *goja.Promise // of the top level of an ES module
}

// A compiled module is ready to run.
type compiled struct {
	prg *goja.Program
	es  bool
}

// main returns the function that runs the module. To compile it can take long, and nothing can interrupt that: when ctx
// ends meanwhile, the function returns.
func (m *module) main(ctx context.Context) func(*goja.Runtime) error {
	return func(vm *goja.Runtime) error {
		if m.reads {
			if wd, err := os.Getwd(); err == nil {
				_ = vm.Get("process").ToObject(vm).Set("cwd", func() string { return filepath.ToSlash(wd) })
			}
		}
		if m.src = strings.TrimPrefix(m.src, "\uFEFF"); strings.HasPrefix(m.src, "#!") {
			m.src = "//" + m.src
		}
		_ = vm.GlobalObject().Get("globalThis") // so that all globals are properties of their own, as in Node
		c, err := detach.Run(ctx, m.compile)
		switch {
		case err != nil && ctx.Err() != nil:
			return new(goja.InterruptedError) // as if the script had run
		case err != nil:
			return err
		case c.es:
			return m.runES(vm, c.prg)
		}
		return m.runCommonJS(vm, c.prg)
	}
}

func (m *module) compile() (compiled, error) {
	if m.isES() {
		return m.compileES()
	}
	return m.compileCommonJS()
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

// packageType is the type that the nearest package.json states.
func packageType(dir string) string {
	for {
		if data, err := os.ReadFile(filepath.Join(dir, "package.json")); err == nil {
			var fields map[string]any
			_ = json.Unmarshal(data, &fields) // a file that is no JSON states nothing
			kind, _ := fields["type"].(string)
			return kind
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// typed reports whether the script was typed in.
func (m *module) typed() bool { return strings.HasPrefix(m.name, "[") }

// compileCommonJS compiles a script as Node does .js files: as a function with require and module, or, when it was typed
// in, as a script. What the engine cannot parse is tried again in older JavaScript.
func (m *module) compileCommonJS() (compiled, error) {
	compile := compileModule
	if m.typed() {
		compile = gojaloop.Compile
	}
	prg, err := compile(m.name, m.src)
	if err == nil {
		return compiled{prg: prg}, nil
	}
	older, lowered := lower(m.name, m.src)
	if lowered != nil {
		if importsOrExports.MatchString(m.src) && !m.typed() {
			return m.compileES()
		}
		return compiled{}, err
	}
	prg, stillBad := compile(m.name, older)
	if stillBad != nil {
		return compiled{}, err // the message is about the source as it was written
	}
	return compiled{prg: prg}, nil
}

func (m *module) runCommonJS(vm *goja.Runtime, prg *goja.Program) error {
	v, err := vm.RunProgram(prg)
	if err != nil || m.typed() {
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

// compileModule compiles the text of a module as the function that Node makes of it.
func compileModule(name, src string) (*goja.Program, error) {
	return gojaloop.CompileFunction(name, src, "exports", "require", "module", "__filename", "__dirname")
}

// transform rewrites a file that require loads if the engine cannot parse it as it is.
func transform(name, src string) (string, error) {
	if _, err := compileModule(name, src); err == nil {
		return src, nil
	} else if older, bad := lower(name, src); bad == nil {
		return older, nil
	} else {
		return "", err
	}
}

var importsOrExports = regexp.MustCompile(`(?m)^\s*(import|export)\b`)

// compileES bundles an ES module with what it imports.
func (m *module) compileES() (compiled, error) {
	src, err := bundle(m.name, m.reads)
	if err != nil {
		return compiled{}, err
	}
	prg, err := gojaloop.Compile(m.name, "Promise.resolve().then(async () => {"+src+"\n})")
	return compiled{prg, true}, err
}

// runES runs an ES module as a promise job, as Node does.
func (m *module) runES(vm *goja.Runtime, prg *goja.Program) error {
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
