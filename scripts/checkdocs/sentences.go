package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
)

// A paragraph is prose from one place of a file.
type paragraph struct {
	line     int
	text     string
	exported bool // it documents an exported name or a package
}

var (
	item     = regexp.MustCompile(`^\s*([-*+]|\d+\.|#+)\s+`)
	codeSpan = regexp.MustCompile("`[^`]*`")
	link     = regexp.MustCompile(`!?\[([^\]]*)\](\([^)]*\))?`)
	comment  = regexp.MustCompile(`<!--.*?-->`)
	region   = regexp.MustCompile(`(?s)<!-- \w+:begin -->.*?<!-- \w+:end -->`)
	end      = regexp.MustCompile(`[.!?:]["')]?\s+([A-Z"'(])`)
	short    = regexp.MustCompile(`\b(e\.g|i\.e|etc|vs|cf)\.`)
)

// sentences returns the sentences of a paragraph; code and links are single words there.
func sentences(text string) (found []string) {
	text = codeSpan.ReplaceAllString(text, "X")
	text = link.ReplaceAllString(text, "$1")
	text = comment.ReplaceAllString(text, " ")
	text = short.ReplaceAllString(text, "$1")
	text = strings.Join(strings.Fields(text), " ")
	for text != "" {
		sentence := text
		if m := end.FindStringSubmatchIndex(text); m != nil {
			sentence, text = text[:m[2]], text[m[2]:]
		} else {
			text = ""
		}
		if len(strings.Fields(sentence)) >= 4 { // fewer are headings and labels
			found = append(found, strings.TrimSpace(sentence))
		}
	}
	return found
}

// markdown returns the paragraphs and items of a page, without code, tables, HTML and regions that programs write.
func markdown(text string) (found []paragraph) {
	text = region.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
	var open paragraph
	flush := func() {
		if open.text != "" {
			found = append(found, open)
		}
		open = paragraph{}
	}
	code := false
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") {
			code = !code
			flush()
			continue
		}
		if code || trimmed == "" || strings.HasPrefix(trimmed, "|") || strings.HasPrefix(trimmed, "<") || strings.HasPrefix(line, "    ") && open.text == "" {
			flush()
			continue
		}
		if item.MatchString(line) {
			flush()
			trimmed = item.ReplaceAllString(line, "")
		}
		if open.text == "" {
			open.line = i + 1
		}
		open.text += " " + trimmed
	}
	flush()
	return found
}

// comments returns the comments of a Go file, and marks those that go doc shows.
func comments(name string, text []byte) ([]paragraph, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	public := exportedDocs(file)
	var found []paragraph
	for _, group := range file.Comments {
		var open paragraph
		flush := func() {
			if open.text != "" {
				found = append(found, open)
			}
			open = paragraph{}
		}
		for _, c := range group.List {
			text, ok := strings.CutPrefix(c.Text, "//")
			if !ok || text == "" || strings.HasPrefix(text, " \t") || strings.HasPrefix(text, "\t") || strings.HasPrefix(text, "   ") {
				flush() // an empty line, or code
				continue
			}
			if text[0] != ' ' || strings.HasPrefix(text, " Output:") || strings.HasPrefix(text, " Deprecated:") {
				flush() // a directive
				continue
			}
			text = strings.TrimSpace(text)
			if item.MatchString(text) {
				flush()
				text = item.ReplaceAllString(text, "")
			}
			if open.text == "" {
				open.line, open.exported = set.Position(c.Pos()).Line, public[group]
			}
			open.text += " " + text
		}
		flush()
	}
	return found, nil
}

// exportedDocs returns the comments of a file that go doc shows: those of the package, of exported declarations, and of the
// exported fields, methods and values within them.
func exportedDocs(file *ast.File) map[*ast.CommentGroup]bool {
	public := map[*ast.CommentGroup]bool{file.Doc: true}
	fields := func(list *ast.FieldList) {
		for _, f := range list.List {
			if len(f.Names) == 0 || f.Names[0].IsExported() {
				public[f.Doc], public[f.Comment] = true, true
			}
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && (d.Recv == nil || exportedReceiver(d.Recv)) {
				public[d.Doc] = true
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					if s.Names[0].IsExported() {
						public[d.Doc], public[s.Doc], public[s.Comment] = true, true, true
					}
				case *ast.TypeSpec:
					if !s.Name.IsExported() {
						continue
					}
					public[d.Doc], public[s.Doc], public[s.Comment] = true, true, true
					switch t := s.Type.(type) {
					case *ast.StructType:
						fields(t.Fields)
					case *ast.InterfaceType:
						fields(t.Methods)
					}
				}
			}
		}
	}
	delete(public, nil)
	return public
}

func exportedReceiver(list *ast.FieldList) bool {
	exported := false
	ast.Inspect(list.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !exported {
			exported = id.IsExported()
			return false
		}
		return !exported
	})
	return exported
}
