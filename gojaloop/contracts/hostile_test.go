package contracts_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
	"github.com/eventloop-go/eventloop/internal/raceflag"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

func TestRecursionEndsInATypedError(t *testing.T) {
	for name, src := range map[string]string{
		"function":      `const f = () => f() + 1; f()`,
		"getter":        `const o = { get a() { return this.a } }; o.a`,
		"sort":          `const f = () => [1, 2].sort(f); f()`,
		"proxy":         `const p = new Proxy({}, { get(t, k, r) { return r.x } }); p.x`,
		"toString":      `const o = { toString() { return '' + this } }; '' + o`,
		"constructor":   `class A { constructor() { new A() } } new A()`,
		"in a timer":    `const f = () => f(); setTimeout(f, 1)`,
		"in a tick":     `const f = () => f(); process.nextTick(f)`,
		"in a job":      `const f = () => f(); Promise.resolve().then(f)`,
		"in a listener": `const f = () => f(); process.on('uncaughtException', f); throw 1`,
		"toJSON":        `const o = { toJSON() { return JSON.stringify(o) } }; JSON.stringify(o)`,
		"iterator":      `const o = { [Symbol.iterator]() { return [...o] } }; [...o]`,
	} {
		_, err := run(t, src)
		var uncaught *gojaloop.UncaughtError
		var overflow *goja.StackOverflowError
		if !errors.As(err, &uncaught) || !errors.As(err, &overflow) || uncaught.Message != "RangeError: Maximum call stack size exceeded" {
			t.Errorf("%s: ended with %v", name, err)
		}
	}
}

func TestSourceThatTheEnginesParserPanicsOnRuns(t *testing.T) {
	expect(t, "console.log('\\u{10FFFF}'.codePointAt(0).toString(16), `a\\u{0010fFfF}`.length, /^\\u{10FFFF}$/u.test('\\u{10ffff}'))", "10ffff 3 true\n")
}

func TestEngineThatPanicsInsideAScriptEndsTheProgramOnly(t *testing.T) {
	_, err := run(t, `eval("'\\u{10FFFF}'")`)
	var engine *gojaloop.EngineError
	if !errors.As(err, &engine) {
		t.Errorf("ended with %v", err)
	}
}

func TestDeeplyNestedSourceIsRefused(t *testing.T) {
	src := make([]byte, 1<<20)
	for i := range src {
		src[i] = '['
	}
	_, err := run(t, string(src))
	var syntax *gojaloop.SyntaxError
	if !errors.As(err, &syntax) {
		t.Errorf("ended with %v", err)
	}
}

func TestPatchedPrototypesDoNotDisturbTheLoop(t *testing.T) {
	expect(t, `
		const l = console.log;
		Promise.prototype.then = () => { l('then') };
		Object.defineProperty(Object.prototype, 'then', { get() { return undefined }, configurable: true });
		Function.prototype.call = Function.prototype.apply = () => l('call');
		Array.prototype.push = Array.prototype.shift = () => l('push');
		Object.defineProperty(Array.prototype, 0, { set() { l('setter') }, configurable: true });
		setTimeout(() => l('timer'), 1);
		process.nextTick(() => l('tick'));
		queueMicrotask(() => l('micro'));
		setImmediate(() => l('immediate')).ref();
		(async () => { await null; l('async') })();
		const end = performance.now() + 2; while (performance.now() < end);`,
		"tick\nmicro\nasync\ntimer\nimmediate\n")
}

func TestThrowingGettersInOptionsAreExceptionsOfTheScript(t *testing.T) {
	expect(t, `
		const bad = { get capture() { throw new Error('capture') }, get signal() { throw new Error('signal') }, get cause() { throw new Error('cause') } };
		for (const f of [
			() => new EventTarget().addEventListener('x', () => {}, bad),
			() => structuredClone({ get a() { throw new Error('clone') } }),
			() => setTimeout(() => {}, { valueOf() { throw new Error('valueOf') } }),
			() => AbortSignal.any({ [Symbol.iterator]() { throw new Error('iterator') } }),
		]) try { f() } catch (e) { console.log(e.message) }`,
		"capture\nclone\nvalueOf\niterator\n")
}

func TestTimersMayClearAndSetEachOtherAtAnyPoint(t *testing.T) {
	expect(t, `
		let n = 0; const all = [];
		const f = () => {
			for (const t of all) clearTimeout(t);
			if (++n < 50) for (let i = 0; i < 3; i++) all.push(setTimeout(f, 0), setInterval(f, 1));
			else for (const t of all) { t.refresh(); clearInterval(t) }
		};
		f(); process.on('exit', () => console.log('end', n));`,
		"end 50\n")
}

func TestManyTimersAndLongStringsAreSurvived(t *testing.T) {
	n := "1000000"
	if !testkit.Full() || raceflag.Enabled {
		n = "100000"
	}
	expect(t, `let n = 0; for (let i = 0; i < `+n+`; i++) setTimeout(() => n++, 1); process.on('exit', () => console.log(n))`, n+"\n")
	expect(t, `let s = 'x'; while (s.length < 1 << 24) s += s; setTimeout((s) => console.log(s.length), 1, s)`, "16777216\n")
}

func TestRuntimeThatWasInterruptedInACallStaysUsable(t *testing.T) {
	loop := eventloop.New()
	go func() { _ = loop.Run(context.Background()) }()
	defer func() { _ = loop.Shutdown(context.Background()) }()
	rt := gojaloop.New(loop)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	_, err := rt.Eval(ctx, `for (;;) {}`)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("ended with %v", err)
	}
	if v, err := rt.Eval(context.Background(), `(async () => { await null; return 6 * 7 })()`); v != int64(42) || err != nil {
		t.Errorf("got %v, %v", v, err)
	}
}

func TestEveryEndlessScriptIsStoppedByItsDeadline(t *testing.T) {
	for name, src := range map[string]string{
		"loop":             `for (;;) {}`,
		"microtasks":       `const f = () => queueMicrotask(f); f()`,
		"promises":         `const f = () => Promise.resolve().then(f); f()`,
		"async":            `(async () => { for (;;) await null })()`,
		"ticks":            `const f = () => process.nextTick(f); f()`,
		"immediates":       `const f = () => setImmediate(f); f()`,
		"timers":           `const f = () => setTimeout(f, 0); f()`,
		"interval":         `setInterval(() => {}, 1)`,
		"getter":           `({ get a() { for (;;) {} } }).a`,
		"sort":             `[3, 1, 2].sort(() => { for (;;) {} })`,
		"proxy":            `new Proxy({}, { get() { for (;;) {} } }).x`,
		"toString":         `'' + { toString() { for (;;) {} } }`,
		"iterator":         `[...{ [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }) }) }]`,
		"inspect":          `console.log({ [Symbol.for('nodejs.util.inspect.custom')]() { for (;;) {} } })`,
		"clone":            `structuredClone({ get a() { for (;;) {} } })`,
		"uncaught getter":  `throw { get a() { return 1 }, toString() { for (;;) {} }, [Symbol.for('nodejs.util.inspect.custom')]() { for (;;) {} } }`,
		"exit handler":     `process.on('exit', () => { for (;;) {} })`,
		"beforeExit":       `process.on('beforeExit', () => setTimeout(() => {}, 1))`,
		"uncaught handler": `process.on('uncaughtException', () => { for (;;) {} }); throw 1`,
		"warning":          `process.on('warning', () => { for (;;) {} }); process.emitWarning('x')`,
		"abort listener":   `const c = new AbortController(); c.signal.onabort = () => { for (;;) {} }; c.abort()`,
		"eval":             `eval('for (;;) {}')`,
		"Function":         `new Function('for (;;) {}')()`,
		"generator":        `for (const x of (function* () { for (;;) yield 1 })());`,
		"search params":    `new URLSearchParams({ [Symbol.iterator]: () => ({ next: () => ({ value: ['a', 'b'], done: false }) }) })`,
		"throwing ticks":   `process.on('uncaughtException', () => {}); const f = () => { process.nextTick(f); setTimeout(f, 1); setImmediate(f); throw 1 }; f()`,
		"never settles":    `setInterval(() => {}, 1e6); new Promise(() => {})`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
			defer cancel()
			err := gojaloop.New(eventloop.New(), gojaloop.WithOutput(io.Discard, io.Discard)).Run(ctx, src)
			var interrupted *gojaloop.InterruptError
			var uncaught *gojaloop.UncaughtError // of values that could not be shown
			if !errors.As(err, &interrupted) && !errors.As(err, &uncaught) || ctx.Err() == nil {
				t.Errorf("ended with %v", err)
			}
		})
	}
}
