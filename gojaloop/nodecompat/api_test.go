package nodecompat_test

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// This package exports exactly the names of goja_nodejs, with the same signatures.
func TestExportedNamesAreThoseOfTheOriginal(t *testing.T) {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := build.Import("github.com/dop251/goja_nodejs/eventloop", dir, build.FindOnly)
	if err != nil {
		t.Fatal(err)
	}
	want, got := exported(t, theirs.Dir), exported(t, dir)
	if len(want) < 18 {
		t.Errorf("only %d exported names were found in %s: %v", len(want), theirs.Dir, want)
	}
	for name, signature := range want {
		if got[name] != signature {
			t.Errorf("%s: here it is %q, there %q", name, got[name], signature)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is exported here and not there", name)
		}
	}
}

// exported describes the exported names of a package: functions and methods by their signatures, and structs by their
// exported fields. Other types are described by their definitions.
func exported(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	names := make(map[string]string)
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			describe(names, decl)
		}
	}
	return names
}

func describe(names map[string]string, decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		receiver := ""
		if d.Recv != nil {
			receiver = source(d.Recv.List[0].Type) + "."
		}
		if d.Name.IsExported() && ast.IsExported(strings.TrimPrefix(receiver, "*")) || receiver == "" && d.Name.IsExported() {
			names[receiver+d.Name.Name] = signature(d.Type)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() {
					names[s.Name.Name] = typeOf(s)
				}
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if n.IsExported() {
						names[n.Name] = d.Tok.String()
					}
				}
			}
		}
	}
}

func typeOf(s *ast.TypeSpec) string {
	structure, ok := s.Type.(*ast.StructType)
	if !ok {
		return source(s.Type)
	}
	var fields []string
	for _, f := range structure.Fields.List {
		for _, n := range f.Names {
			if n.IsExported() {
				fields = append(fields, n.Name+" "+source(f.Type))
			}
		}
		if name := strings.TrimPrefix(source(f.Type), "*"); len(f.Names) == 0 && ast.IsExported(name) {
			fields = append(fields, name)
		}
	}
	slices.Sort(fields)
	return "struct { " + strings.Join(fields, "; ") + " }"
}

// signature is the signature of a function without the names of its parameters.
func signature(f *ast.FuncType) string {
	list := func(fields *ast.FieldList) string {
		var types []string
		if fields != nil {
			for _, f := range fields.List {
				for range max(1, len(f.Names)) {
					types = append(types, source(f.Type))
				}
			}
		}
		return "(" + strings.Join(types, ", ") + ")"
	}
	return "func" + list(f.Params) + " " + list(f.Results)
}

func source(node ast.Node) string {
	var b bytes.Buffer
	_ = printer.Fprint(&b, token.NewFileSet(), node)
	return b.String()
}
