package gojavm

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/unistring"
)

// The engine takes \p{L} in a regular expression for the text p{L}. Literals are lowered: the property becomes the ranges of
// its characters, by Go's tables. A property without a table is a SyntaxError. Patterns that a script makes at run time stay.

// longNames are Unicode's long names of the general categories.
var longNames = map[string]string{
	"Letter": "L", "Cased_Letter": "LC", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt", "Modifier_Letter": "Lm", "Other_Letter": "Lo",
	"Mark": "M", "Combining_Mark": "M", "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd", "digit": "Nd",
	"Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps",
	"Close_Punctuation": "Pe", "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf", "Other_Punctuation": "Po", "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc",
	"Modifier_Symbol": "Sk", "Other_Symbol": "So", "Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp", "Control": "Cc",
	"cntrl": "Cc", "Format": "Cf", "Surrogate": "Cs", "Private_Use": "Co",
}

// sums are properties that are the union of tables (Unicode, DerivedCoreProperties).
var sums = map[string][]*unicode.RangeTable{
	"LC":         {unicode.Lu, unicode.Ll, unicode.Lt},
	"Alphabetic": {unicode.L, unicode.Nl, unicode.Other_Alphabetic}, "Alpha": {unicode.L, unicode.Nl, unicode.Other_Alphabetic},
	"Uppercase": {unicode.Lu, unicode.Other_Uppercase}, "Upper": {unicode.Lu, unicode.Other_Uppercase},
	"Lowercase": {unicode.Ll, unicode.Other_Lowercase}, "Lower": {unicode.Ll, unicode.Other_Lowercase},
	"Any":         {{R32: []unicode.Range32{{Lo: 0, Hi: unicode.MaxRune, Stride: 1}}}},
	"ASCII":       {{R16: []unicode.Range16{{Lo: 0, Hi: 0x7F, Stride: 1}}}},
	"ID_Start":    {unicode.L, unicode.Nl, unicode.Other_ID_Start},
	"ID_Continue": {unicode.L, unicode.Nl, unicode.Other_ID_Start, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue},
	"space":       {unicode.White_Space},
}

// tablesOf returns the tables of a property, as it stands in the braces.
func tablesOf(property string) []*unicode.RangeTable {
	key, value, pair := strings.Cut(property, "=")
	switch {
	case pair && (key == "Script" || key == "sc"):
		if t := unicode.Scripts[value]; t != nil {
			return []*unicode.RangeTable{t}
		}
		return nil
	case pair && key != "General_Category" && key != "gc":
		return nil
	case pair:
		property = value
	}
	if short := longNames[property]; short != "" {
		property = short
	}
	if t := unicode.Categories[property]; t != nil && property != "C" { // which has the unassigned ones too
		return []*unicode.RangeTable{t}
	}
	if t := unicode.Properties[property]; t != nil && !pair {
		return []*unicode.RangeTable{t}
	}
	if pair && property != "LC" {
		return nil
	}
	return sums[property]
}

// rangesOf returns the characters of tables as sorted ranges that do not touch.
func rangesOf(tables []*unicode.RangeTable) (ranges [][2]rune) {
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			ranges = append(ranges, [2]rune{lo, hi})
			return
		}
		for r := lo; r <= hi; r += stride {
			ranges = append(ranges, [2]rune{r, r})
		}
	}
	for _, t := range tables {
		for _, r := range t.R16 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	slices.SortFunc(ranges, func(a, b [2]rune) int { return int(a[0] - b[0]) })
	merged := ranges[:0]
	for _, r := range ranges {
		if n := len(merged); n > 0 && r[0] <= merged[n-1][1]+1 {
			merged[n-1][1] = max(merged[n-1][1], r[1])
		} else {
			merged = append(merged, r)
		}
	}
	return merged
}

func complement(ranges [][2]rune) (rest [][2]rune) {
	from := rune(0)
	for _, r := range ranges {
		if r[0] > from {
			rest = append(rest, [2]rune{from, r[0] - 1})
		}
		from = r[1] + 1
	}
	if from <= unicode.MaxRune {
		rest = append(rest, [2]rune{from, unicode.MaxRune})
	}
	return rest
}

// lowerProperties returns a pattern with the flag u without properties.
func lowerProperties(pattern string) (string, error) {
	var out strings.Builder
	character := func(r rune) {
		if r < 0x80 || r >= 0xD800 && r <= 0xDFFF {
			fmt.Fprintf(&out, `\u%04x`, r)
		} else {
			out.WriteRune(r)
		}
	}
	inClass := false
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		if c != '\\' || i+1 == len(pattern) {
			inClass = c == '[' || inClass && c != ']'
			out.WriteByte(c)
			continue
		}
		i++
		letter := pattern[i]
		length := strings.IndexByte(pattern[i:], '}')
		if letter != 'p' && letter != 'P' || !strings.HasPrefix(pattern[i+1:], "{") || length < 0 {
			out.WriteByte('\\')
			out.WriteByte(letter)
			continue
		}
		property := pattern[i+2 : i+length]
		tables := tablesOf(property)
		if tables == nil {
			return "", fmt.Errorf("invalid regular expression: the property \\%c{%s} is not supported", letter, property)
		}
		ranges := rangesOf(tables)
		if letter == 'P' {
			ranges = complement(ranges)
		}
		if !inClass {
			out.WriteByte('[')
		}
		for _, r := range ranges {
			character(r[0])
			if r[1] > r[0] {
				out.WriteByte('-')
				character(r[1])
			}
		}
		if !inClass {
			out.WriteByte(']')
		}
		i += length
	}
	return out.String(), nil
}

// lowerLiterals lowers the literals of a program.
func lowerLiterals(program *ast.Program, src string) error {
	if !strings.Contains(src, `\p{`) && !strings.Contains(src, `\P{`) {
		return nil
	}
	var failed error
	visit(reflect.ValueOf(program), map[any]bool{}, func(node any) {
		var err error
		switch n := node.(type) {
		case *ast.RegExpLiteral:
			if strings.Contains(n.Flags, "u") {
				n.Pattern, err = lowerProperties(n.Pattern)
			}
		case *ast.NewExpression: // what a bundler makes of a literal
			err = lowerArguments(n.Callee, n.ArgumentList)
		case *ast.CallExpression:
			err = lowerArguments(n.Callee, n.ArgumentList)
		}
		if failed == nil {
			failed = err
		}
	})
	return failed
}

// lowerArguments lowers those of RegExp, if they are literals.
func lowerArguments(callee ast.Expression, arguments []ast.Expression) error {
	name, ok := callee.(*ast.Identifier)
	if !ok || name.Name != "RegExp" || len(arguments) != 2 {
		return nil
	}
	pattern, isText := arguments[0].(*ast.StringLiteral)
	flags, hasFlags := arguments[1].(*ast.StringLiteral)
	if !isText || !hasFlags || !strings.Contains(flags.Value.String(), "u") {
		return nil
	}
	lowered, err := lowerProperties(pattern.Value.String())
	pattern.Value = unistring.NewFromString(lowered)
	return err
}

// visit calls a function with each node of a tree.
func visit(v reflect.Value, seen map[any]bool, each func(node any)) {
	switch v.Kind() {
	case reflect.Interface:
		visit(v.Elem(), seen, each)
	case reflect.Pointer:
		if v.IsNil() || v.Elem().Type().PkgPath() != astPackage || seen[v.Interface()] {
			return
		}
		seen[v.Interface()] = true
		each(v.Interface())
		visit(v.Elem(), seen, each)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				visit(v.Field(i), seen, each)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			visit(v.Index(i), seen, each)
		}
	}
}
