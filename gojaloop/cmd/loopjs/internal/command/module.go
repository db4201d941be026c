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
	rt      *gojaloop.Runtime
	reads   bool          // the script may read files, and thus know where it is
	promise *goja.Promise // of the top level of an ES module
}

// A compiled module is ready to run.
type compiled struct {
	prg *goja.Program
	es  bool
}

// runES runs an ES module as a promise job, as Node does.
func (m *module) runES(vm *goja.Runtime) error {
	then, err := vm.RunString("(run) => Promise.resolve().then(run)")
	if err != nil {
		return err
	}
	call, _ := goja.AssertFunction(then)
	v, err := call(goja.Undefined(), vm.ToValue(func() {
		if _, err := m.rt.RequireMain(m.name); err != nil {
			panic(err)
		}
	}))
	if err != nil {
		return err
	}
	m.promise, _ = v.Export().(*goja.Promise)
	return nil
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
		if !m.typed() && !m.isES() {
			_, err := m.rt.RequireMain(m.name)
			return err
		}
		if !m.typed() {
			if _, err := lowerES(m.name, m.src); err == nil {
				return m.runES(vm)
			}
		}
		c, err := detach.Run(ctx, m.compile)
		switch {
		case err != nil && ctx.Err() != nil:
			return new(goja.InterruptedError) // as if the script had run
		case err != nil:
			return err
		case c.es:
			return m.runBundle(vm, c.prg)
		}
		_, err = vm.RunProgram(c.prg)
		return err
	}
}

func (m *module) compile() (compiled, error) {
	if m.isES() {
		return m.compileES()
	}
	return m.compileTyped()
}

// pending reports whether the top level still awaits.
func (m *module) pending() bool {
	return m.promise != nil && m.promise.State() == goja.PromiseStatePending
}

// isES reports whether the file is an ES module, by Node's rules; TypeScript is.
func (m *module) isES() bool {
	switch filepath.Ext(m.name) {
	case ".mjs", ".mts", ".ts", ".tsx":
		return true
	case ".js":
		switch packageType(filepath.Dir(m.name)) {
		case "module":
			return true
		case "commonjs":
			return false
		}
		return importsOrExports.MatchString(m.src) && m.onlyES()
	}
	return false
}

// onlyES reports whether the text is an ES module's and no other's, which Node finds out by parsing it.
func (m *module) onlyES() bool {
	if _, err := compileModule(m.name, m.src); err == nil {
		return false
	}
	older, err := lower(m.name, m.src)
	if err == nil {
		_, err = compileModule(m.name, older)
	}
	return err != nil
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

// compileTyped compiles a script that was typed in. If the engine cannot parse it, the script is lowered to older JavaScript and tried again.
func (m *module) compileTyped() (compiled, error) {
	prg, err := gojaloop.Compile(m.name, m.src)
	if err == nil {
		return compiled{prg: prg}, nil
	}
	older, lowered := lower(m.name, m.src)
	if lowered != nil {
		return compiled{}, err
	}
	prg, stillBad := gojaloop.Compile(m.name, older)
	if stillBad != nil {
		return compiled{}, err // the message is about the source as it was written
	}
	return compiled{prg: prg}, nil
}

// compileModule compiles the text of a module as the function that Node makes of it.
func compileModule(name, src string) (*goja.Program, error) {
	return gojaloop.CompileFunction(name, src, "exports", "require", "module", "__filename", "__dirname")
}

// transform rewrites a file that require loads if the engine cannot run it as it is.
func transform(name, src string) (string, error) {
	m := module{script: script{name: name, src: src}}
	if m.isES() {
		return lowerES(name, src)
	}
	if _, err := compileModule(name, src); err == nil {
		return src, nil
	} else if older, bad := lower(name, src); bad == nil {
		return older, nil
	} else {
		return "", err
	}
}

var importsOrExports = regexp.MustCompile(`(?m)^\s*(import|export)\b`)

// compileES bundles an ES module with its imports.
func (m *module) compileES() (compiled, error) {
	src, err := bundle(m.name, m.reads)
	if err != nil {
		return compiled{}, err
	}
	prg, err := gojaloop.Compile(m.name, "Promise.resolve().then(async () => {"+src+"\n})")
	return compiled{prg, true}, err
}

// runBundle runs an ES module that awaits at its top level as a promise job, as Node does.
func (m *module) runBundle(vm *goja.Runtime, prg *goja.Program) error {
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
