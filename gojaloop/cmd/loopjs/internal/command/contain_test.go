package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestImportsAreFilesThatAScriptMayNotRead(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"secret.js": "export default 'hidden'", "secret.json": `{"a":"hidden"}`, "secret.txt": "hidden", "secret": "hidden", "secret.cjs": "module.exports = 'hidden'"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, src := range []string{
		`import s from 'DIR/secret.js'; console.log(s)`,
		`import s from './secret.json'; console.log(s)`,
		`import s from 'DIR/secret.txt'; console.log(s)`,
		`import s from 'DIR/secret' with { type: 'text' }; console.log(s)`,
		`import s from './secret.json' with { type: 'json' }; console.log(s)`,
		`export { default } from 'DIR/secret.js'`,
		`console.log(await import('DIR/secret.js'))`,
		`console.log(await import('./secret.json'))`,
		`import s from './secret.cjs'; console.log(s)`,
	} {
		path := filepath.Join(dir, "main.mjs")
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(src, "DIR", filepath.ToSlash(dir))), 0o600); err != nil {
			t.Fatal(err)
		}
		out, errs, code := loopjs(t, "", path)
		if code != 1 || strings.Contains(out+errs, "hidden") || !strings.Contains(errs, "--allow-read") {
			t.Errorf("%s: wrote %q, %q, code %d", src, out, errs, code)
		}
	}
	path := filepath.Join(dir, "main.mjs")
	if err := os.WriteFile(path, []byte(`import s from './secret.js'; import path from 'path'; console.log(s, path.basename('/a/b'))`), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, errs, code := loopjs(t, "", "--allow-read", path); out != "hidden b\n" || code != 0 {
		t.Errorf("with the flag: %q, %q, code %d", out, errs, code)
	}
}

func TestRegularExpressionThatTakesForEverIsStoppedByTheTimeout(t *testing.T) {
	for _, src := range []string{
		`for (;;) /^(?=(a+)+$)/.test('a'.repeat(40) + 'b')`,
		`for (;;) 'x'.repeat(60).match(/(x+x+)+y\1/)`,
	} {
		if out, errs, code := loopjs(t, "", "--timeout", "300ms", "-e", src); code != exitTimeout {
			t.Errorf("%s: wrote %q, %q, code %d", src, out, errs, code)
		}
	}
}

// A single operation of the engine cannot be interrupted.
func TestTheCommandEndsThoughTheScriptDoesNot(t *testing.T) {
	var out, errOut strings.Builder
	code := Main([]string{"--timeout", "200ms", "-e", "let e = 6000000n; 7n ** e"}, strings.NewReader(""), &out, &errOut)
	if code != exitTimeout || !strings.Contains(errOut.String(), "the time is over") {
		t.Errorf("exit code %d, wrote %q and %q", code, out.String(), errOut.String())
	}
}
