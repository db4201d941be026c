package resolve

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// A match is what exports and imports lead to. No target at all is different from null, which forbids a path.
type match struct {
	path string // of a file, or a built-in module with node:
	null bool
}

// exportsResolve is PACKAGE_EXPORTS_RESOLVE, and checks that there is a file.
func (r *Resolver) exportsResolve(pkg *Package, subpath string, q *Request) (string, error) {
	dotted, plain := 0, 0
	for _, key := range pkg.exports.keys {
		if strings.HasPrefix(key, ".") {
			dotted++
		} else {
			plain++
		}
	}
	if dotted > 0 && plain > 0 {
		return "", &Error{"Error", "ERR_INVALID_PACKAGE_CONFIG", fmt.Sprintf("Invalid package config %s. \"exports\" cannot contain some keys starting with '.' and some not. "+
			"The exports object must either be an object of package subpath keys or an object of main entry condition name keys only.", pkg.file())}
	}
	targets := pkg.exports
	if dotted == 0 { // the main entry's
		targets = value{kind: kindObject, keys: []string{"."}, items: []value{pkg.exports}}
	}
	m, err := r.matchKey(subpath, targets, pkg, false, q)
	switch {
	case err != nil:
		return "", err
	case m != nil && m.path != "":
		return r.existing(m.path, q)
	case subpath == ".":
		return "", &Error{"Error", "ERR_PACKAGE_PATH_NOT_EXPORTED", fmt.Sprintf("No \"exports\" main defined in %s", pkg.file())}
	}
	return "", &Error{"Error", "ERR_PACKAGE_PATH_NOT_EXPORTED", fmt.Sprintf("Package subpath '%s' is not defined by \"exports\" in %s", subpath, pkg.file())}
}

// importsResolve is PACKAGE_IMPORTS_RESOLVE.
func (r *Resolver) importsResolve(pkg *Package, q *Request) (string, error) {
	s := q.Specifier
	if s == "#" || strings.HasPrefix(s, "#/") {
		return "", invalidSpecifier(s, "is not a valid internal imports specifier name", q.From)
	}
	m, err := r.matchKey(s, pkg.imports, pkg, true, q)
	switch {
	case err != nil:
		return "", err
	case m != nil && m.path != "":
		return r.existing(m.path, q)
	}
	return "", &Error{"TypeError", "ERR_PACKAGE_IMPORT_NOT_DEFINED",
		fmt.Sprintf("Package import specifier \"%s\" is not defined in package %s imported from %s", s, pkg.file(), q.From)}
}

func (r *Resolver) existing(p string, q *Request) (string, error) {
	if strings.HasPrefix(p, "node:") {
		return p, nil
	}
	is, err := r.Files.IsFile(p)
	switch {
	case err != nil:
		return "", err
	case is:
		return p, nil
	case q.Import:
		return r.exactly(p, q.Specifier, q)
	}
	return "", notFound(p)
}

// matchKey is PACKAGE_IMPORTS_EXPORTS_RESOLVE.
func (r *Resolver) matchKey(key string, targets value, pkg *Package, imports bool, q *Request) (*match, error) {
	if i := slices.Index(targets.keys, key); i >= 0 && !strings.Contains(key, "*") && !strings.HasSuffix(key, "/") {
		return r.target(targets.items[i], pkg, nil, key, imports, q)
	}
	var patterns []string
	for _, k := range targets.keys {
		if strings.Count(k, "*") == 1 {
			patterns = append(patterns, k)
		}
	}
	slices.SortStableFunc(patterns, comparePatterns)
	for _, k := range patterns {
		base, trailer, _ := strings.Cut(k, "*")
		if strings.HasPrefix(key, base) && key != base && strings.HasSuffix(key, trailer) && len(key) >= len(k) {
			part := key[len(base) : len(key)-len(trailer)]
			return r.target(targets.items[slices.Index(targets.keys, k)], pkg, &part, k, imports, q)
		}
	}
	return nil, nil
}

// comparePatterns is PATTERN_KEY_COMPARE: the most specific first.
func comparePatterns(a, b string) int {
	return cmp.Or(cmp.Compare(strings.Index(b, "*"), strings.Index(a, "*")), cmp.Compare(len(b), len(a)))
}

// target is PACKAGE_TARGET_RESOLVE. It returns nil where no condition fits.
func (r *Resolver) target(v value, pkg *Package, part *string, key string, imports bool, q *Request) (*match, error) {
	switch v.kind {
	case kindString:
		return r.targetPath(v.text, pkg, part, key, imports, q)
	case kindNull:
		return &match{null: true}, nil
	case kindObject:
		if slices.ContainsFunc(v.keys, isIndex) {
			return nil, &Error{"Error", "ERR_INVALID_PACKAGE_CONFIG",
				fmt.Sprintf("Invalid package config %s. \"exports\" cannot contain numeric property keys.", pkg.file())}
		}
		for i, condition := range v.keys {
			if condition == "default" || slices.Contains(q.Conditions, condition) {
				if m, err := r.target(v.items[i], pkg, part, key, imports, q); m != nil || err != nil {
					return m, err
				}
			}
		}
		return nil, nil
	case kindArray:
		var last *match
		var failed error
		if len(v.items) == 0 {
			return &match{null: true}, nil
		}
		for _, item := range v.items {
			m, err := r.target(item, pkg, part, key, imports, q)
			var e *Error
			if errors.As(err, &e) && e.Code == "ERR_INVALID_PACKAGE_TARGET" {
				last, failed = nil, err
				continue
			}
			if err != nil || m != nil && !m.null {
				return m, err
			}
			if m != nil {
				last, failed = m, nil
			}
		}
		return last, failed
	}
	return nil, invalidTarget(pkg, v.text, key, imports, q)
}

func (r *Resolver) targetPath(target string, pkg *Package, part *string, key string, imports bool, q *Request) (*match, error) {
	fill := func(s string) string {
		if part == nil {
			return s
		}
		return strings.ReplaceAll(s, "*", *part)
	}
	if !strings.HasPrefix(target, "./") {
		if !imports || strings.HasPrefix(target, "../") || strings.HasPrefix(target, "/") || isURL(target) {
			return nil, invalidTarget(pkg, target, key, imports, q)
		}
		inner := *q
		inner.Specifier, inner.From = fill(target), path.Join(pkg.Dir, "package.json")
		p, err := r.Resolve(inner)
		return &match{path: p}, err
	}
	if invalidSegments(target[2:]) {
		return nil, invalidTarget(pkg, target, key, imports, q)
	}
	if part != nil && invalidSegments(*part) {
		return nil, invalidSpecifier(q.Specifier, fmt.Sprintf("request is not a valid match in pattern \"%s\" for the \"exports\" resolution of %s", key, pkg.file()), q.From)
	}
	return &match{path: path.Join(pkg.Dir, fill(target))}, nil
}

// invalidSegments reports whether a path leads somewhere else than below a directory, or into the packages there.
func invalidSegments(p string) bool {
	for _, segment := range strings.FieldsFunc(p, func(c rune) bool { return c == '/' || c == '\\' }) {
		switch strings.ToLower(strings.NewReplacer("%2e", ".", "%2E", ".").Replace(segment)) {
		case ".", "..", "node_modules":
			return true
		}
	}
	return false
}

func isURL(s string) bool {
	scheme, _, ok := strings.Cut(s, ":")
	return ok && scheme != "node" && !strings.ContainsAny(scheme, "/@#") && scheme != ""
}

func isIndex(key string) bool {
	return key != "" && strings.Trim(key, "0123456789") == "" && (key == "0" || key[0] != '0')
}

func invalidTarget(pkg *Package, target, key string, imports bool, q *Request) error {
	field, hint := "exports", ""
	if imports {
		field = "imports"
	} else if target != "" && !strings.HasPrefix(target, "./") {
		hint = "; targets must start with \"./\""
	}
	of := fmt.Sprintf("defined for '%s' in the package config %s", key, pkg.file())
	if key == "." {
		of = fmt.Sprintf("defined in the package config %s", pkg.file())
	}
	return &Error{"Error", "ERR_INVALID_PACKAGE_TARGET", fmt.Sprintf("Invalid \"%s\" target \"%s\" %s imported from %s%s", field, target, of, q.From, hint)}
}
