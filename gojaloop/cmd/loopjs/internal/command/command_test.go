package command

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
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
		{[]string{"-e", "var process = process || { exit() {} }; process.exit(4)"}, 4, ""},
		{[]string{"-e", "throw new TypeError('x')"}, 1, "[eval]:1\nthrow new TypeError('x')\n      ^\n\nTypeError: x\n    at [eval]:1:7\n"},
		{[]string{"-e", "let let"}, 1, "SyntaxError"},
		{[]string{file(t, "wait.mjs", "await new Promise(() => {})")}, 13, "unsettled top-level await"},
		{[]string{"--timeout", "30ms", "-e", "for (;;) {}"}, 124, "the time is over"},
		{[]string{"--timeout", "30ms", "-e", "1" + strings.Repeat("+1", 20_000)}, 124, "the time is over"},
		{[]string{"--disallow-code-generation-from-strings", "-e", "eval('1')"}, 1, "EvalError: Code generation from strings"},
		{[]string{"--nonsense"}, 9, "nonsense"},
		{[]string{"no-such-file.js"}, 1, "no-such-file.js"},
		{[]string{"-e", "require('fs').readFileSync('x')"}, 1, "--allow-read"},
		{[]string{"-e", "require('./x')"}, 1, "--allow-read"},
		{[]string{"-e", "require('repl')"}, 1, "a part of Node that is not available here"},
		{[]string{"--allow-read", "-e", "require('no-such-module')"}, 1, "Cannot find module 'no-such-module'"},
		{[]string{"--unhandled-rejections=often", "-e", "1"}, 9, "warn-with-error-code"},
		{[]string{"--unhandled-rejections=warn", "-e", "Promise.reject(1)"}, 0, "UnhandledPromiseRejectionWarning: 1"},
		{[]string{"--no-warnings", "-e", "process.emitWarning('x')"}, 0, ""},
		{[]string{"--stats", "-e", "1"}, 0, "callbacks"},
		{[]string{"--timeout", "5", "-e", "1"}, 9, "such as 500ms"},
		{[]string{"--timeout", "-1s", "-e", "1"}, 9, "such as 500ms"},
		{[]string{"-e", "throw null"}, 1, "\n[eval]:1\nthrow null\n"},
	} {
		_, errs, code := loopjs(t, "", c.args...)
		if code != c.code || !strings.Contains(errs, c.errors) {
			t.Errorf("%v: code %d, want %d; %q, want %q in it", c.args, code, c.code, errs, c.errors)
		}
	}
}

func TestSourcesThatNestTooDeepForTheBundlerAreRefused(t *testing.T) {
	deep := strings.Repeat("!", 200_000) + "1"
	imported := file(t, "imported.mjs", deep)
	for _, path := range []string{file(t, "a.js", deep), file(t, "a.mjs", deep), file(t, "a.ts", deep), file(t, "b.mjs", "import "+strconv.Quote(imported))} {
		_, errs, code := loopjs(t, "", "--allow-read", path)
		if code != 1 || !strings.Contains(errs, "split") {
			t.Errorf("%s: code %d, %.200q", path, code, errs)
		}
	}
}

func TestFilesAreReadOnlyWhenAllowed(t *testing.T) {
	path := file(t, "a.js", `console.log(require('fs').readFileSync(__filename, 'utf8').length > 0)`)
	if out, errs, code := loopjs(t, "", "--allow-read", path); out != "true\n" || code != 0 {
		t.Errorf("wrote %q, %q, code %d", out, errs, code)
	}
}

func TestRequiredFilesMayBeginAndBeWrittenAsInNode(t *testing.T) {
	dir := filepath.Dir(file(t, "main.js", ""))
	for name, src := range map[string]string{
		"main.js":   "\uFEFF#!/usr/bin/env loopjs\nconsole.log(require('./mark'), require('./line'), typeof require('./newer'), require('./last'), require('./data').a);\nrequire('./bad')",
		"mark.js":   "\uFEFFmodule.exports = 1",
		"line.js":   "#!/usr/bin/env loopjs\nmodule.exports = 2",
		"newer.js":  "module.exports = async function* () { for await (const x of []) yield x; }",
		"last.js":   `module.exports = '\u{10FFFF}'.length`,
		"data.json": `{"a": 4}`,
		"bad.json":  `{"a": }`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, errs, code := loopjs(t, "", "--allow-read", filepath.Join(dir, "main.js"))
	if out != "1 2 function 2 4\n" || code != 1 || !strings.Contains(errs, "SyntaxError: ") || !strings.Contains(errs, "bad.json") {
		t.Errorf("wrote %q, %q, code %d", out, errs, code)
	}
}

func TestThePackagesOwnTypeSaysWhatAFileIs(t *testing.T) {
	for text, want := range map[string]string{
		`{ "repository": { "type": "git" }, "type": "module" }`:      "a module",
		`{ "repository": { "type": "module" }, "type": "commonjs" }`: "CommonJS",
		`{ "repository": { "type": "module" } }`:                     "CommonJS",
		`{ "type": 1 }`:                                              "CommonJS",
	} {
		path := file(t, "a.js", `console.log(typeof require === 'function' && typeof module === 'object' ? 'CommonJS' : 'a module')`)
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), "package.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, errs, code := loopjs(t, "", path); out != want+"\n" || code != 0 {
			t.Errorf("%s: %q, %q, code %d, want %s", text, out, errs, code, want)
		}
	}
}

func TestScriptWithoutNetworkIsToldHowToGetIt(t *testing.T) {
	out, _, code := loopjs(t, "", "-e", `fetch('http://localhost').catch((e) => console.log(e.name, e.message, e.cause.message)); new Headers()`)
	if code != 0 || !strings.HasPrefix(out, "TypeError fetch failed") || !strings.Contains(out, "--allow-net") {
		t.Errorf("wrote %q, code %d", out, code)
	}
}

// talk types lines and returns the output between them, each with the prompt before it.
func talk(t *testing.T, lines ...string) string {
	t.Helper()
	var out strings.Builder
	c := console{
		Writer: &out,
		readLine: func(prompt string) (string, error) {
			out.WriteString(prompt)
			if len(lines) == 0 {
				return "", io.EOF
			}
			line := lines[0]
			lines = lines[1:]
			if line == "\x03" {
				return "", errGivenUp
			}
			return line, nil
		},
		interruptible: func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			// A goroutine of the test's own presses Ctrl-C when the script asks for it.
			time.AfterFunc(20*time.Millisecond, cancel)
			if len(lines) > 0 && lines[0] != "// interrupted" {
				return context.WithCancel(context.WithoutCancel(ctx))
			}
			return ctx, cancel
		},
	}
	if code := converse(&flags{}, c); code != 0 {
		t.Errorf("code %d", code)
	}
	return out.String()
}

func TestConversationKeepsItsStateBetweenLines(t *testing.T) {
	got := talk(t, "const x = 20", "x + 1", "{a: x}", "nonsense", "", ".exit", "never read")
	want := "> undefined\n> 21\n> { a: 20 }\n> Uncaught ReferenceError: nonsense is not defined at REPL:1:1\n> > "
	if squeeze(got) != squeeze(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestConversationGoesOnUntilAStatementIsComplete(t *testing.T) {
	got := talk(t, "function f() {", "  return `a", "b`", "}", "f()", "[1,", "", "1", ".exit")
	want := "> ... ... ... undefined\n> 'a\\nb'\n> ... Uncaught SyntaxError: REPL: Line 2:1 Unexpected end of input\n> 1\n> "
	if squeeze(got) != squeeze(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestControlCGivesALineUp(t *testing.T) {
	k := &keyboard{in: strings.NewReader("abc\x03")}
	buf := make([]byte, 64)
	n, err := k.Read(buf)
	if got := string(buf[:n]); got != "abc"+emptyRow || err != nil || !k.gaveUp() || k.gaveUp() {
		t.Errorf("read %q, %v", got, err)
	}
}

func TestConversationForgetsAStatementThatIsGivenUp(t *testing.T) {
	got := talk(t, "function f() {", "\x03", "1", ".exit")
	if want := "> ... > 1\n> "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestConversationAwaits(t *testing.T) {
	got := talk(t, "await Promise.resolve(7)", "const y = await new Promise((r) => setTimeout(r, 1, 8))", "y + 1",
		"await Promise.reject(new TypeError('no'))", "if (await 1) y", "await", ".exit")
	want := "> 7\n> undefined\n> 9\n> Uncaught TypeError: no\n> undefined\n> Uncaught ReferenceError: await is not defined at REPL:1:1\n> "
	if squeeze(got) != squeeze(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWhatRunsInAConversationCanBeInterrupted(t *testing.T) {
	got := talk(t, "1", "for (;;) {}", "// interrupted", "2", ".exit")
	if !strings.HasPrefix(got, "> 1\n> Uncaught gojaloop: interrupted") || !strings.HasSuffix(got, "> 2\n> ") {
		t.Errorf("got %q", got)
	}
}

// squeeze leaves out how deep in the engine an error arose.
func squeeze(s string) string { return regexp.MustCompile(`\(\d+\)`).ReplaceAllString(s, "") }
