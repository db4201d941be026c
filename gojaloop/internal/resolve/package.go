package resolve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
)

// A Package is what a package.json says.
type Package struct {
	Dir  string
	Name string
	Main string
	Type string // module, commonjs or ""

	exports, imports, browser value
}

func (p *Package) file() string { return path.Join(p.Dir, "package.json") }

// Package reads the package.json of a directory. It returns nil if the directory has no such file.
func (r *Resolver) Package(dir string) (*Package, error) {
	if p, known := r.packages[dir]; known {
		return p, nil
	}
	p, err := r.readPackage(dir)
	if err != nil {
		return nil, err
	}
	if r.packages == nil {
		r.packages = make(map[string]*Package)
	}
	r.packages[dir] = p
	return p, nil
}

func (r *Resolver) readPackage(dir string) (*Package, error) {
	file := path.Join(dir, "package.json")
	if is, err := r.Files.IsFile(file); !is || err != nil {
		return nil, err
	}
	text, err := r.Files.Read(file)
	if err != nil {
		return nil, err
	}
	fields, err := parse(bytes.TrimPrefix(text, []byte("\uFEFF")))
	if err != nil {
		return nil, &Error{"Error", "ERR_INVALID_PACKAGE_CONFIG", fmt.Sprintf("Invalid package config %s.", file)}
	}
	return &Package{
		Dir: dir, Name: fields.get("name").text, Main: fields.get("main").text, Type: fields.get("type").text,
		exports: fields.get("exports"), imports: fields.get("imports"), browser: fields.get("browser"),
	}, nil
}

// Scope returns the package that a directory belongs to, or nil.
func (r *Resolver) Scope(dir string) (*Package, error) {
	for path.Base(dir) != "node_modules" {
		if p, err := r.Package(dir); p != nil || err != nil {
			return p, err
		}
		parent := path.Dir(dir)
		if parent == dir || path.Base(dir) == ".." {
			break
		}
		dir = parent
	}
	return nil, nil
}

// Browser returns what the package of a file uses in a browser in the place of a module: another specifier, or "" for an empty
// module. It is for parts of Node that are missing.
func (r *Resolver) Browser(specifier, from string) (instead string, ok bool) {
	scope, err := r.Scope(path.Dir(from))
	if err != nil || scope == nil {
		return "", false
	}
	switch v := scope.browser.get(specifier); {
	case v.kind == kindFalse:
		return "", true
	case v.kind == kindString && v.text != specifier:
		if IsPath(v.text) {
			return Join(scope.Dir, v.text), true
		}
		return v.text, true
	}
	return "", false
}

// A value is one of JSON, with the properties of objects in their order, on which conditions depend.
type value struct {
	kind  kind
	text  string // of a string
	keys  []string
	items []value // of an array, or of an object's keys
}

type kind int

const (
	kindAbsent kind = iota // also null, which exports treat alike at the top
	kindNull
	kindFalse
	kindOther // true or a number
	kindString
	kindArray
	kindObject
)

// get returns a property. The last one of a name counts, as in JSON.parse.
func (v value) get(key string) value {
	for i := len(v.keys) - 1; i >= 0; i-- {
		if v.keys[i] == key {
			if v.items[i].kind == kindNull {
				return value{}
			}
			return v.items[i]
		}
	}
	return value{}
}

func parse(text []byte) (value, error) {
	if !json.Valid(text) {
		return value{}, fmt.Errorf("no JSON")
	}
	return next(json.NewDecoder(bytes.NewReader(text)))
}

func next(d *json.Decoder) (value, error) {
	token, err := d.Token()
	if err != nil {
		return value{}, err
	}
	switch t := token.(type) {
	case nil:
		return value{kind: kindNull}, nil
	case string:
		return value{kind: kindString, text: t}, nil
	case bool:
		if !t {
			return value{kind: kindFalse}, nil
		}
	case json.Delim:
		v := value{kind: kindArray}
		if t == '{' {
			v.kind = kindObject
		}
		for d.More() {
			if v.kind == kindObject {
				key, err := d.Token()
				if err != nil {
					return value{}, err
				}
				v.keys = append(v.keys, key.(string))
			}
			item, err := next(d)
			if err != nil {
				return value{}, err
			}
			v.items = append(v.items, item)
		}
		_, err := d.Token()
		return v, err
	}
	return value{kind: kindOther}, nil
}
