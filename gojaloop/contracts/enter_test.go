package contracts_test

import (
	"context"
	"testing"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// logOf runs a script that calls log with strings, and returns the log.
func logOf(t *testing.T, src string) string {
	t.Helper()
	rt := gojaloop.New(eventloop.New())
	logged := ""
	err := rt.RunMain(context.Background(), func(vm *goja.Runtime) error {
		_ = vm.Set("log", func(s string) { logged += s + " " })
		_, err := vm.RunString(src)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return logged
}

// Callbacks of one phase share an entry into the engine as long as no other work must run between them. Each way of
// queueing work must end that.
func TestWhatACallbackQueuesRunsBeforeTheNextOfItsPhase(t *testing.T) {
	for name, queue := range map[string]string{
		"tick":                 `process.nextTick(() => log('q'))`,
		"queueMicrotask":       `queueMicrotask(() => log('q'))`,
		"reaction":             `Promise.resolve().then(() => log('q'))`,
		"earlier reaction":     `resolve()`,
		"await":                `(async () => { await undefined; log('q') })()`,
		"thenable":             `new Promise((r) => r({ then() { log('q') } }))`,
		"async gives thenable": `(async () => ({ then() { log('q') } }))()`,
		"rejection":            `Promise.reject('q')`,
	} {
		for _, set := range []string{"setImmediate(f)", "setTimeout(f, 1)"} {
			t.Run(name+"/"+set, func(t *testing.T) {
				got := logOf(t, `
					let resolve, n = 0
					new Promise((r) => { resolve = r }).then(() => log('q'))
					process.on('unhandledRejection', log)
					const f = () => { log('c' + n); if (n++ == 1) { `+queue+` } }
					for (let i = 0; i < 4; i++) `+set)
				if want := "c0 c1 q c2 c3 "; got != want {
					t.Errorf("got %q, want %q", got, want)
				}
			})
		}
	}
}

func TestAScriptCannotReachTheEntry(t *testing.T) {
	for _, src := range []string{
		`try { gojaloop_entry__ = { run: 1 } } catch {}`,
		`globalThis.gojaloop_entry__ = { run: 1 }`,
		`try { Object.defineProperty(gojaloop_entry__, 'run', { value: 1 }) } catch {}`,
		`try { delete gojaloop_entry__.run } catch {}`,
		`Object.setPrototypeOf(gojaloop_entry__, { run: 1 })`,
		`gojaloop_entry__.run`,
		`eval('var gojaloop_entry__x = 1'); (() => { const gojaloop_entry__ = 1 })()`,
	} {
		got := logOf(t, src+`
			setImmediate(() => { gojaloop_entry__.run; process.nextTick(() => log('tick')); Promise.resolve().then(() => log('job')) })
			setImmediate(() => log('end'))`)
		if want := "tick job end "; got != want {
			t.Errorf("%s: got %q, want %q", src, got, want)
		}
	}
}

func TestCallbacksOfOnePhaseAreCountedOneByOne(t *testing.T) {
	rt := gojaloop.New(eventloop.New())
	if err := rt.Run(context.Background(), `for (let i = 0; i < 10; i++) setImmediate(() => {})`); err != nil {
		t.Fatal(err)
	}
	if n := rt.Stats().Callbacks; n < 11 {
		t.Errorf("counted %d callbacks, want the script and 10 immediates at least", n)
	}
}
