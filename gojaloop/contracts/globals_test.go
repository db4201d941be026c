package contracts_test

import (
	"context"
	"io"
	"testing"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

func TestGlobalsThatAreReplacedStayReplaced(t *testing.T) {
	for name, src := range map[string]string{
		"assigned before the global object is used": `setTimeout = 'mine'; globalThis.other = 1; console.log(setTimeout, globalThis.setTimeout)`,
		"assigned after":      `globalThis.other = 1; setTimeout = 'mine'; console.log(setTimeout, globalThis.setTimeout)`,
		"as a property":       `globalThis.setTimeout = 'mine'; console.log(setTimeout, global.setTimeout)`,
		"by a declaration":    `var setTimeout = 'mine'; console.log(setTimeout, globalThis.setTimeout)`,
		"by a function":       `function setTimeout() {} setTimeout.toString = () => 'mine'; console.log(String(setTimeout), String(globalThis.setTimeout))`,
		"deleted, then set":   `delete globalThis.setTimeout; if (typeof setTimeout === 'undefined') setTimeout = 'mine'; console.log(setTimeout, globalThis.setTimeout)`,
		"defined as accessor": `Object.defineProperty(globalThis, 'setTimeout', { get: () => 'mine' }); console.log(setTimeout, globalThis.setTimeout)`,
	} {
		t.Run(name, func(t *testing.T) { expect(t, src, "mine mine\n") })
	}
}

func TestGlobalsAreDescribedAsPropertiesWithValues(t *testing.T) {
	expect(t, `
		const show = (d) => d && [typeof d.value, d.writable, d.enumerable, d.configurable, 'get' in d].join(' ');
		console.log(show(Object.getOwnPropertyDescriptor(globalThis, 'URL')));
		console.log(show(Reflect.getOwnPropertyDescriptor(globalThis, 'setTimeout')));
		console.log(show(Object.getOwnPropertyDescriptors(globalThis).Event));
		console.log(Object.getOwnPropertyDescriptor({ get URL() {} }, 'URL').value);
		delete globalThis.atob;
		console.log(Object.getOwnPropertyDescriptor(globalThis, 'atob'), Object.getOwnPropertyDescriptor(globalThis, Symbol.iterator));
		try { Object.getOwnPropertyDescriptor(null, 'x') } catch (e) { console.log(e.name) }
		console.log(Object.getOwnPropertyDescriptor.name, Object.getOwnPropertyDescriptor.length, Object.getOwnPropertyDescriptors.length)`,
		`function true false true false
function true true true false
function true false true false
undefined
undefined undefined
TypeError
getOwnPropertyDescriptor 2 1
`)
}

func TestDeclaringAVariableOfAGlobalLeavesItsValue(t *testing.T) {
	expect(t, `
		var console = console || {}, process = process || {};
		var { URL } = { URL: 'mine' };
		if (true) { var performance = performance || 'mine'; }
		for (var structuredClone in []);
		let atob = 'mine';
		console.log(typeof process.nextTick, URL, typeof performance, typeof structuredClone, atob)`,
		"function mine object function mine\n")
}

func TestGlobalsOfGoCodeStay(t *testing.T) {
	var said []string
	rt := gojaloop.New(eventloop.New(), gojaloop.WithOutput(io.Discard, io.Discard))
	err := rt.RunMain(context.Background(), func(vm *goja.Runtime) error {
		_ = vm.Set("console", map[string]any{"log": func(s string) { said = append(said, s) }})
		_, err := vm.RunString(`console.log('one'); globalThis.other = 1; console.log('two'); globalThis.console.log('three')`)
		return err
	})
	if err != nil || len(said) != 3 {
		t.Errorf("the console of Go code was told %q, %v", said, err)
	}
}

// However a program reaches them, the engine's objects have the members that the engine lacks.
func TestEngineObjectsAreCompleteForWhoeverReachesThem(t *testing.T) {
	for name, src := range map[string]string{
		"by name":             `typeof Symbol.asyncIterator + typeof Promise.try`,
		"global object":       `typeof globalThis['Sym' + 'bol'].asyncIterator + typeof globalThis['Prom' + 'ise'].try`,
		"this":                `typeof this['Sym' + 'bol'].asyncIterator + typeof (function () { return this })()['Prom' + 'ise'].try`,
		"escapes":             `typeof \u0053ymbol.asyncIterator + typeof P\u{72}omise.try`,
		"eval":                `eval('typeof Sym' + 'bol.asyncIterator + typeof Prom' + 'ise.try')`,
		"Function":            `new Function('return typeof Sym' + 'bol.asyncIterator + typeof Prom' + 'ise.try')()`,
		"a hidden Function":   `(() => {})['const' + 'ructor']('return typeof Sym' + 'bol.asyncIterator + typeof Prom' + 'ise.try')()`,
		"a generator":         `Object.getPrototypeOf(function* () {})['const' + 'ructor']('yield typeof Sym' + 'bol.asyncIterator + typeof Prom' + 'ise.try')().next().value`,
		"a symbol's class":    `Symbol.iterator.constructor.asyncIterator.description.slice(0, 6).toLowerCase() + typeof (async () => {})().constructor.try`,
		"what a timer has":    `typeof Object.getOwnPropertySymbols(Object.getPrototypeOf(setImmediate(() => {})))[0] + typeof Promise.withResolvers`,
		"the same for a mark": `typeof performance.mark('a')[Symbol.toStringTag].at + typeof Promise.try`,
	} {
		t.Run(name, func(t *testing.T) {
			for entry, run := range map[string]func(*gojaloop.Runtime) (any, error){
				"Eval": func(rt *gojaloop.Runtime) (any, error) { return rt.Eval(context.Background(), src) },
				"Do": func(rt *gojaloop.Runtime) (v any, err error) {
					err = rt.Do(context.Background(), func(vm *goja.Runtime) error {
						value, err := vm.RunString(src)
						if err == nil {
							v = value.Export()
						}
						return err
					})
					return v, err
				},
			} {
				loop := eventloop.New()
				ended := make(chan error)
				go func() { ended <- loop.Run(context.Background()) }()
				v, err := run(gojaloop.New(loop))
				if s, _ := v.(string); err != nil || s != "symbolfunction" && s != "functionfunction" {
					t.Errorf("%s: got %v, %v", entry, v, err)
				}
				_ = loop.Shutdown(context.Background())
				<-ended
			}
		})
	}
}

func TestGlobalsOfTheMinimumCommonAPIAreThere(t *testing.T) {
	expect(t, `
		console.log(self === globalThis, navigator.userAgent, String(navigator), typeof Navigator);
		try { new Navigator() } catch (e) { console.log(e.name) }
		const e = new ErrorEvent('error', { message: 'm', filename: 'f', lineno: 3, colno: 4.7, error: 5, cancelable: true });
		console.log(e.type, e.message, e.filename, e.lineno, e.colno, e.error, e.cancelable, e instanceof Event, String(e));
		console.log(new ErrorEvent('x').message === '', new ErrorEvent('x').error);
		const p = Promise.resolve(), r = new PromiseRejectionEvent('unhandledrejection', { promise: p, reason: 'why' });
		console.log(r.promise === p, r.reason, String(r));
		for (const f of [() => new ErrorEvent(), () => new PromiseRejectionEvent('x'), () => new PromiseRejectionEvent('x', {}), () => reportError()]) try { f() } catch (e) { console.log(e.name) }
		process.on('uncaughtException', (e) => console.log('reported', e));
		reportError('this'); console.log('goes on');`,
		`true gojaloop [object Navigator] function
TypeError
error m f 3 4 5 true true [object ErrorEvent]
true undefined
true why [object PromiseRejectionEvent]
TypeError
TypeError
TypeError
TypeError
goes on
reported this
`)
}
