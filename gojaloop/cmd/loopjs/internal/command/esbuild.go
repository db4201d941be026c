package command

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/eventloop-go/eventloop/gojaloop"
	"github.com/eventloop-go/eventloop/gojaloop/internal/nesting"
)

// unsupported is what goja cannot run, and esbuild rewrites.
var unsupported = map[string]bool{"async-generator": false, "for-await": false, "top-level-await": true, "dynamic-import": false, "regexp-set-notation": false}

// fields are what the engine's parser has gaps in: names of class fields such as get, set, static and async.
var fields = []string{"class-field", "class-static-field", "class-private-field", "class-private-method", "class-private-accessor",
	"class-private-static-field", "class-private-static-method", "class-private-static-accessor", "class-static-blocks", "class-private-brand-check"}

// supports is what the engine has, with or without class fields.
func supports(withFields bool) map[string]bool {
	all := maps.Clone(unsupported)
	for _, name := range fields {
		if !withFields {
			all[name] = false
		}
	}
	return all
}

// parsed rewrites a module with class fields, and without them if the engine's parser takes them for something else.
func parsed(name string, rewrite func(supported map[string]bool) (string, error)) (string, error) {
	text, err := rewrite(supports(true))
	if err != nil {
		return "", err
	}
	if _, failed := compileModule(name, text); failed == nil {
		return text, nil
	}
	return rewrite(supports(false))
}

// lower rewrites a script that uses what goja cannot parse.
func lower(name, src string) (string, error) {
	if err := nesting.CheckModule(name+".js", src); err != nil { // the name may be one in brackets
		return "", &gojaloop.SyntaxError{Name: name, Message: fmt.Sprintf("%s: %v", name, err)}
	}
	return parsed(name, func(supported map[string]bool) (string, error) {
		result := api.Transform(src, api.TransformOptions{
			Sourcefile: name, Target: api.ES2022, Supported: supported, Sourcemap: api.SourceMapInline, Loader: loader(name),
		})
		if len(result.Errors) > 0 {
			return "", buildError(result.Errors)
		}
		return string(result.Code), nil
	})
}

// loaders are those of files that are no JavaScript.
var loaders = map[string]api.Loader{".ts": api.LoaderTS, ".mts": api.LoaderTS, ".cts": api.LoaderTS, ".tsx": api.LoaderTSX, ".jsx": api.LoaderJSX}

func loader(name string) api.Loader {
	if l, ok := loaders[filepath.Ext(name)]; ok {
		return l
	}
	return api.LoaderJS
}

// lowerES rewrites an ES module as the function of a module of Node's. One that awaits at its top level cannot be one.
func lowerES(name, src string) (string, error) {
	if err := nesting.CheckModule(name, src); err != nil {
		return "", &gojaloop.SyntaxError{Name: name, Message: fmt.Sprintf("%s: %v", name, err)}
	}
	return parsed(name, func(supported map[string]bool) (string, error) {
		supported["top-level-await"] = false
		result := api.Transform(src, api.TransformOptions{
			Sourcefile: name, Target: api.ES2022, Supported: supported, Sourcemap: api.SourceMapInline, Loader: loader(name), Format: api.FormatCommonJS,
			Define: notES, LogLevel: api.LogLevelSilent,
		})
		if len(result.Errors) > 0 {
			return "", buildError(result.Errors)
		}
		return asFunction(string(result.Code)), nil
	})
}

// notES are what a module of Node's has and an ES module has not, with import.meta.
var notES = map[string]string{"import.meta": "__importMeta", "require": "undefined", "module": "undefined", "exports": "undefined"}

var (
	nodeMode   = regexp.MustCompile(`__toESM\((require\("[^"]*"\)), 1\)`)
	parameters = regexp.MustCompile(`\b(const|let|class|function) (__dirname|__filename)\b`)
)

// asFunction makes the body of a module's function. require.import gives namespaces, which esbuild need not make. An ES module may
// declare what are parameters of the function.
func asFunction(code string) string {
	code = nodeMode.ReplaceAllString(code, "__toESM($1)")
	const head = `"use strict";const __importMeta=require.meta;require=require.import;`
	if parameters.MatchString(code) {
		at := strings.LastIndex(code, "//# sourceMappingURL")
		return head + "(()=>{" + code[:at] + "})();\n" + code[at:]
	}
	return head + code
}

// bundle puts a module and its imports into one text without imports and exports. Modules that are built in stay
// calls of require.
//
// Without reads, no other file is read: what is imported is as much a file as what require loads.
func bundle(name string, reads bool) (string, error) {
	dir, base := filepath.Split(filepath.FromSlash(name))
	result := api.Build(api.BuildOptions{
		Stdin: &api.StdinOptions{
			// An entry of our own, which exports nothing, so that nothing is exported.
			Contents: "import " + fmt.Sprintf("%q", "./"+base), ResolveDir: dir, Sourcefile: "main",
		},
		AbsWorkingDir: dir, Bundle: true, Write: false, Format: api.FormatESModule, Platform: api.PlatformNeutral, Target: api.ES2022,
		MainFields: []string{"module", "main"}, Conditions: []string{"node", "import", "default"},
		Supported: unsupported, Sourcemap: api.SourceMapInline, LogLevel: api.LogLevelSilent,
		Define:  map[string]string{"import.meta.url": fmt.Sprintf("%q", "file://"+name), "import.meta.filename": fmt.Sprintf("%q", name)},
		Plugins: []api.Plugin{builtinsPlugin(), filesPlugin(name, reads)},
	})
	if len(result.Errors) > 0 {
		return "", buildError(result.Errors)
	}
	return string(result.OutputFiles[0].Contents), nil
}

// builtinsPlugin makes imports of built-in modules calls of require.
func builtinsPlugin() api.Plugin {
	names := make([]string, 0, 8)
	for _, name := range gojaloop.Builtins() {
		names = append(names, regexp.QuoteMeta(name))
	}
	filter := "^(node:)?(" + strings.Join(names, "|") + ")$"
	return api.Plugin{Name: "builtins", Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: filter}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: strings.TrimPrefix(a.Path, "node:"), Namespace: "builtin"}, nil
		})
		b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "builtin"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			code := fmt.Sprintf("module.exports = globalThis.require(%q)", a.Path)
			return api.OnLoadResult{Contents: &code, Loader: api.LoaderJS}, nil
		})
	}}
}

// filesPlugin refuses files that the script may not read, and those that nest too deep for esbuild.
func filesPlugin(entry string, reads bool) api.Plugin {
	entry = filepath.FromSlash(entry)
	if real, err := filepath.EvalSymlinks(entry); err == nil { // as esbuild names it
		entry = real
	}
	return api.Plugin{Name: "files", Setup: func(b api.PluginBuild) {
		b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "file"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			if !reads && a.Path != entry {
				return api.OnLoadResult{}, errNoFiles
			}
			if src, err := os.ReadFile(a.Path); err == nil { // if not, esbuild has more to say about it
				if err := nesting.CheckModule(a.Path, string(src)); err != nil {
					return api.OnLoadResult{}, fmt.Errorf("%s: %w", a.Path, err)
				}
			}
			return api.OnLoadResult{}, nil // esbuild goes on
		})
	}}
}

func buildError(messages []api.Message) error {
	m := messages[0]
	where := ""
	if l := m.Location; l != nil {
		where = fmt.Sprintf("%s:%d:%d: ", l.File, l.Line, l.Column+1)
	}
	return &gojaloop.SyntaxError{Message: where + m.Text}
}
