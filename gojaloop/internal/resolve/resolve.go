// Package resolve finds the file that a specifier of require or import names, as Node documents it (Modules: CommonJS modules,
// "All together"; Modules: Packages; Modules: ECMAScript modules, "Resolution and loading algorithm").
//
// Paths have slashes. They are absolute, or relative to what the file system takes as its root.
package resolve

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Files are what a resolver may look at.
type Files interface {
	// IsFile reports whether there is a file. A directory is not a file. An error ends the search: files may not be read, for example.
	IsFile(path string) (bool, error)
	// Read returns the contents of a file.
	Read(path string) ([]byte, error)
}

// A Resolver finds files. It keeps what package.json files say, so it is for one file system that does not change, and for one
// goroutine.
type Resolver struct {
	Files   Files
	Builtin func(name string) bool // reports whether a module needs no file; the name has no node:

	packages map[string]*Package
}

// A Request is a specifier and where it stands.
type Request struct {
	Specifier  string
	From       string   // the file that asks
	Conditions []string // of exports and imports, without default
	Import     bool     // by the rules of import: no extensions are added to paths
	Extensions []string // that require adds; none means .js and .json
}

// An Error is one that Node's resolver throws.
type Error struct {
	Class   string // of the error
	Code    string
	Message string
}

func (e *Error) Error() string { return e.Message }

func notFound(specifier string) error {
	return &Error{"Error", "MODULE_NOT_FOUND", fmt.Sprintf("Cannot find module '%s'", specifier)}
}

var usual = []string{".js", ".json"}

// Resolve returns the path of a file, or the name of a built-in module with the prefix node:.
func (r *Resolver) Resolve(q Request) (string, error) {
	s := q.Specifier
	if q.Extensions == nil {
		q.Extensions = usual
	}
	if name, prefixed := strings.CutPrefix(s, "node:"); prefixed {
		if !r.Builtin(name) {
			return "", &Error{"Error", "ERR_UNKNOWN_BUILTIN_MODULE", "No such built-in module: " + s}
		}
		return s, nil
	}
	if r.Builtin(s) && !OnlyPrefixed(s) {
		return "node:" + s, nil
	}
	dir := path.Dir(q.From)
	if IsPath(s) {
		return r.byPath(s, dir, &q)
	}
	if strings.HasPrefix(s, "#") {
		if scope, err := r.Scope(dir); err != nil {
			return "", err
		} else if scope != nil && scope.imports.kind != kindAbsent {
			return r.importsResolve(scope, &q)
		}
	}
	return r.inPackages(s, dir, &q)
}

// OnlyPrefixed reports whether Node has a built-in module only under a name with node:.
func OnlyPrefixed(name string) bool {
	return name == "test" || name == "sqlite" || name == "sea" || strings.HasPrefix(name, "test/")
}

// IsPath reports whether a specifier is a path, and no name of a package.
func IsPath(s string) bool {
	return s == "." || s == ".." || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") || IsAbs(s)
}

// IsAbs reports whether a path is absolute.
func IsAbs(p string) bool {
	drive := len(p) > 2 && p[1] == ':' && p[2] == '/' && ('a' <= p[0]|0x20 && p[0]|0x20 <= 'z')
	return strings.HasPrefix(p, "/") || drive
}

// Join joins a directory and a path in it.
func Join(dir, p string) string {
	if IsAbs(p) {
		return path.Clean(p)
	}
	return path.Join(dir, p)
}

func (r *Resolver) byPath(s, dir string, q *Request) (string, error) {
	full := Join(dir, s)
	if q.Import {
		return r.exactly(full, s, q)
	}
	last := s[strings.LastIndexByte(s, '/')+1:]
	if directory := last == "" || last == "." || last == ".."; !directory {
		if found, err := r.file(full, q); found != "" || err != nil {
			return found, err
		}
	}
	if found, err := r.directory(full, q); found != "" || err != nil {
		return found, err
	}
	return "", notFound(s)
}

// exactly finds a file for import.
func (r *Resolver) exactly(full, s string, q *Request) (string, error) {
	is, err := r.Files.IsFile(full)
	switch {
	case err != nil:
		return "", err
	case is:
		return full, nil
	}
	return "", &Error{"Error", "ERR_MODULE_NOT_FOUND", fmt.Sprintf("Cannot find module '%s' imported from %s", full, q.From)}
}

// file is LOAD_AS_FILE.
func (r *Resolver) file(p string, q *Request) (string, error) {
	is, err := r.Files.IsFile(p)
	if is || err != nil {
		return only(p, is), err
	}
	return r.first(p, q.Extensions)
}

func only(p string, is bool) string {
	if is {
		return p
	}
	return ""
}

func (r *Resolver) first(p string, extensions []string) (string, error) {
	for _, extension := range extensions {
		if is, err := r.Files.IsFile(p + extension); is || err != nil {
			return only(p+extension, is), err
		}
	}
	return "", nil
}

// directory is LOAD_AS_DIRECTORY.
func (r *Resolver) directory(p string, q *Request) (string, error) {
	pkg, err := r.Package(p)
	if err != nil {
		return "", err
	}
	index := path.Join(p, "index")
	if pkg == nil || pkg.Main == "" {
		return r.first(index, q.Extensions)
	}
	main := path.Join(p, pkg.Main)
	if found, err := r.file(main, q); found != "" || err != nil {
		return found, err
	}
	if found, err := r.first(path.Join(main, "index"), q.Extensions); found != "" || err != nil {
		return found, err
	}
	if found, err := r.first(index, q.Extensions); found != "" || err != nil {
		return found, err
	}
	return "", &Error{"Error", "MODULE_NOT_FOUND",
		fmt.Sprintf("Cannot find module '%s'. Please verify that the package.json has a valid \"main\" entry", main)}
}

// inPackages is LOAD_PACKAGE_SELF and LOAD_NODE_MODULES, and PACKAGE_RESOLVE of import.
func (r *Resolver) inPackages(s, dir string, q *Request) (string, error) {
	name, subpath, named := splitName(s)
	if !named {
		if q.Import {
			return "", invalidSpecifier(s, "is not a valid package name", q.From)
		}
	} else if scope, err := r.Scope(dir); err != nil {
		return "", err
	} else if scope != nil && scope.exports.kind != kindAbsent && scope.Name == name {
		return r.exportsResolve(scope, subpath, q)
	}
	for _, modules := range NodeModules(dir) {
		if named {
			pkg, err := r.Package(path.Join(modules, name))
			if err != nil {
				return "", err
			}
			if pkg != nil && pkg.exports.kind != kindAbsent {
				return r.exportsResolve(pkg, subpath, q)
			}
		}
		found, err := r.inDirectory(path.Join(modules, s), subpath, strings.HasSuffix(s, "/"), q)
		if found != "" || err != nil {
			return found, err
		}
	}
	if q.Import {
		return "", &Error{"Error", "ERR_MODULE_NOT_FOUND", fmt.Sprintf("Cannot find package '%s' imported from %s", name, q.From)}
	}
	return "", notFound(s)
}

// inDirectory looks for what a package without exports has under a path.
func (r *Resolver) inDirectory(p, subpath string, directory bool, q *Request) (string, error) {
	if q.Import && subpath != "." {
		is, err := r.Files.IsFile(p)
		return only(p, is), err
	}
	if !directory && !q.Import {
		if found, err := r.file(p, q); found != "" || err != nil {
			return found, err
		}
	}
	return r.directory(p, q)
}

// NodeModules are the directories that packages are looked for in, the nearest first.
func NodeModules(dir string) (list []string) {
	for {
		if path.Base(dir) != "node_modules" {
			list = append(list, path.Join(dir, "node_modules"))
		}
		parent := path.Dir(dir)
		if parent == dir || dir == "." || path.Base(dir) == ".." {
			return list
		}
		dir = parent
	}
}

// splitName splits a specifier into the name of a package and a subpath, as exports have it.
func splitName(s string) (name, subpath string, ok bool) {
	parts := strings.SplitN(s, "/", 3)
	n := 1
	if strings.HasPrefix(s, "@") {
		n = 2
	}
	if len(parts) < n || slices.Contains(parts[:n], "") || strings.HasPrefix(s, ".") || strings.ContainsAny(strings.Join(parts[:n], "/"), `\%`) {
		return "", "", false
	}
	name = strings.Join(parts[:n], "/")
	return name, "." + s[len(name):], true
}

func invalidSpecifier(s, why, from string) error {
	return &Error{"TypeError", "ERR_INVALID_MODULE_SPECIFIER", fmt.Sprintf("Invalid module \"%s\" %s imported from %s", s, why, from)}
}
