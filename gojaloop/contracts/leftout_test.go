package contracts_test

import (
	"testing"

	"github.com/eventloop-go/eventloop/gojaloop"
)

func TestRequireDoesNotGiveWhatIsLeftOut(t *testing.T) {
	expect(t, `
		for (const name of ['process', 'timers', 'timers/promises', 'url', 'perf_hooks', 'fs', 'events']) {
			const tell = (name) => { try { return typeof require(name); } catch (e) { return e.code; } };
			console.log(name, tell(name), tell(name), tell('node:' + name));
		}`,
		`process MODULE_NOT_FOUND MODULE_NOT_FOUND MODULE_NOT_FOUND
timers MODULE_NOT_FOUND MODULE_NOT_FOUND MODULE_NOT_FOUND
timers/promises MODULE_NOT_FOUND MODULE_NOT_FOUND MODULE_NOT_FOUND
url MODULE_NOT_FOUND MODULE_NOT_FOUND MODULE_NOT_FOUND
perf_hooks MODULE_NOT_FOUND MODULE_NOT_FOUND MODULE_NOT_FOUND
fs ERR_ACCESS_DENIED ERR_ACCESS_DENIED ERR_ACCESS_DENIED
events function function function
`, gojaloop.WithModules(nil), gojaloop.Without(gojaloop.Process, gojaloop.Timers, gojaloop.URL, gojaloop.Performance))
}

func TestRequireDoesNotGiveAConsoleThatIsLeftOut(t *testing.T) {
	out, err := run(t, `
		let found = '';
		for (const name of ['console', 'node:console']) try { require(name); found += name; } catch (e) { found += e.code + ' '; }
		process.stdout.write(found);`, gojaloop.WithModules(nil), gojaloop.Without(gojaloop.Console))
	if want := "MODULE_NOT_FOUND MODULE_NOT_FOUND "; out != want || err != nil {
		t.Errorf("the script has written %q, and ended with %v; want %q", out, err, want)
	}
}
