package nesting_test

import (
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/gojaloop/internal/nesting"
)

// many tokens have to be looked at.
const many = 140_000

func TestScriptsThatNestTooDeepAreRefusedWithTheirPosition(t *testing.T) {
	for src, want := range map[string]string{
		strings.Repeat("!", many) + "1":            "Line 1:1001 too many nested expressions",
		"\n" + strings.Repeat("if(1)", many) + ";": "Line 2:",
		"#!" + strings.Repeat("[", many):           "Line 1:1 ",
		strings.Repeat("(a=", 7) + "1" + strings.Repeat(")=>1", 7) + strings.Repeat(";()=>1", 20): "7 deep",
		strings.Repeat("a;", many) + "export {}":                                                  "bundle",
	} {
		if err := nesting.CheckScript(src); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20s…: %v, want %q", src, err, want)
		}
	}
}

func TestScriptsThatAreLongOrShortPass(t *testing.T) {
	for _, src := range []string{
		"", strings.Repeat("[", 1000), strings.Repeat("a;", many), "x=[" + strings.Repeat("1,", many) + "]",
		strings.Repeat("(a)=>(b)=>1;", many/8), strings.Repeat("'<!--';//-->\n", many), strings.Repeat("f((a, b = (c) => c) => b(a));", many/16),
		strings.Repeat("a=1\n", many), "x='" + strings.Repeat("[", many) + "'", strings.Repeat("(a) => ", 30) + "[", // which the engine refuses
	} {
		if err := nesting.CheckScript(src); err != nil {
			t.Errorf("%.20s…: %v", src, err)
		}
	}
}

func TestModulesAreCheckedByTheirKind(t *testing.T) {
	deep := strings.Repeat("[", many)
	for name, want := range map[string]string{"a.mjs": "too many nested", "a.js": "too many nested", "a.json": "JSON", "a.ts": "tokens", "a": "tokens"} {
		if err := nesting.CheckModule(name, deep); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	wide := "[" + strings.Repeat("[],", many) + "[]]"
	for name, src := range map[string]string{"a.mjs": "#!/bin/x\n" + wide, "a.json": wide, "b.ts": "let x: number"} {
		if err := nesting.CheckModule(name, src); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestJSONDepthLooksPastStrings(t *testing.T) {
	for text, want := range map[string]int{`[]`: 1, `[[1],{"a":[]}]`: 3, `["[[", "\"[[", "\\", []]`: 2, `1`: 0, `]]]`: 0, `[[`: 2} {
		if got := nesting.JSONDepth(text); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}
