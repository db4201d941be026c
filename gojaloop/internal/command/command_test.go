package command

import (
	"io"
	"strings"
	"testing"
)

func TestArgumentsAfterTheFileAreTheScripts(t *testing.T) {
	path := file(t, "a.js", `console.log(process.argv.slice(2).join(), process.argv[1] === __filename, typeof require, module.exports === exports)`)
	out, errs, code := loopjs(t, "", path, "x", "--stats", "-e")
	if out != "x,--stats,-e true function true\n" || code != 0 || errs != "" {
		t.Errorf("wrote %q, %q, code %d", out, errs, code)
	}
}

func TestScriptsComeFromFlagsAndFromStandardInput(t *testing.T) {
	if out, _, code := loopjs(t, "", "-e", "console.log(1 + 1)"); out != "2\n" || code != 0 {
		t.Errorf("-e wrote %q, code %d", out, code)
	}
	if out, _, code := loopjs(t, "console.log(process.argv.length)", "-", "x"); out != "3\n" || code != 0 {
		t.Errorf("- wrote %q, code %d", out, code)
	}
}

func TestModulesAndTypeScriptRun(t *testing.T) {
	out, errs, code := loopjs(t, "", file(t, "m.mjs", `
		import { EventEmitter } from 'node:events';
		async function* g() { yield 1; yield 2 }
		process.nextTick(() => console.log('tick'));
		for await (const x of g()) console.log(x);
		await new Promise((r) => setTimeout(r, 1));
		console.log(new EventEmitter().on('a', () => {}).emit('a'), import.meta.url.startsWith('file://'));`))
	if out != "1\n2\ntick\ntrue true\n" || code != 0 {
		t.Errorf("module wrote %q, %q, code %d", out, errs, code)
	}
	out, errs, code = loopjs(t, "", file(t, "t.ts", "enum E { A = 4 }\nfunction f(x: number): never {\n  throw new RangeError('bad ' + x)\n}\nsetTimeout(() => f(E.A), 1)"))
	if out != "" || code != 1 || !strings.Contains(errs, "RangeError: bad 4") || !strings.Contains(errs, "t.ts:3:") {
		t.Errorf("TypeScript wrote %q, %q, code %d", out, errs, code)
	}
}

func TestExitCodesAreNodes(t *testing.T) {
	for _, c := range []struct {
		args   []string
		code   int
		errors string
	}{
		{[]string{"-e", "process.exit(3)"}, 3, ""},
		{[]string{"-e", "throw new TypeError('x')"}, 1, "[eval]:1\nthrow new TypeError('x')\n      ^\n\nTypeError: x\n    at [eval]:1:7\n"},
		{[]string{"-e", "let let"}, 1, "SyntaxError"},
		{[]string{file(t, "wait.mjs", "await new Promise(() => {})")}, 13, "unsettled top-level await"},
		{[]string{"--timeout", "30ms", "-e", "for (;;) {}"}, 124, "the time is over"},
		{[]string{"--nonsense"}, 9, "nonsense"},
		{[]string{"no-such-file.js"}, 1, "no-such-file.js"},
		{[]string{"-e", "require('fs')"}, 1, "restricted"},
		{[]string{"--stats", "-e", "1"}, 0, "callbacks"},
	} {
		_, errs, code := loopjs(t, "", c.args...)
		if code != c.code || !strings.Contains(errs, c.errors) {
			t.Errorf("%v: code %d, want %d; %q, want %q in it", c.args, code, c.code, errs, c.errors)
		}
	}
}

func TestFilesAreReadOnlyWhenAllowed(t *testing.T) {
	path := file(t, "a.js", `console.log(require('fs').readFileSync(__filename, 'utf8').length > 0)`)
	if out, errs, code := loopjs(t, "", "--allow-read", path); out != "true\n" || code != 0 {
		t.Errorf("wrote %q, %q, code %d", out, errs, code)
	}
}

func TestConversationKeepsItsStateBetweenLines(t *testing.T) {
	lines := []string{"const x = 20", "x + 1", "{a: x}", "nonsense", "", ".exit"}
	read := func() (string, error) {
		if len(lines) == 0 {
			return "", io.EOF
		}
		line := lines[0]
		lines = lines[1:]
		return line, nil
	}
	var out strings.Builder
	if code := converse(&flags{}, read, &out); code != 0 {
		t.Errorf("code %d", code)
	}
	for _, want := range []string{"21\n", "{ a: 20 }\n", "Uncaught ReferenceError: nonsense is not defined"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in %q", want, out.String())
		}
	}
}
