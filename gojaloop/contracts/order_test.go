package contracts_test

import "testing"

func TestTicksRunBeforePromiseJobsAndBothBeforeTheNextCallback(t *testing.T) {
	expect(t, `
		setTimeout(() => { console.log('a'); process.nextTick(() => console.log('tick')); Promise.resolve().then(() => console.log('job')) }, 1);
		setTimeout(() => console.log('b'), 1);`,
		"a\ntick\njob\nb\n")
}

func TestExceptionOfATimerSkipsTicksUntilTheNextTimerHasRun(t *testing.T) {
	expect(t, `
		const l = console.log;
		process.on('uncaughtException', (e) => { l('UE', e); process.nextTick(() => l('ue tick')); queueMicrotask(() => l('ue micro')) });
		setTimeout(() => { process.nextTick(() => l('tick')); Promise.resolve().then(() => l('p')); throw 1 }, 1);
		setTimeout(() => l('t2'), 1); setTimeout(() => l('t3'), 1);`,
		"UE 1\nt2\ntick\nue tick\np\nue micro\nt3\n")
}

func TestQueueMicrotaskKeepsItsPlaceAmongPromiseJobs(t *testing.T) {
	expect(t, `
		const p = Promise.resolve();
		queueMicrotask(() => { console.log(1); p.then(() => console.log(4)) });
		p.then(() => console.log(2));
		queueMicrotask(() => { console.log(3) });`,
		"1\n2\n3\n4\n")
}

func TestQueueMicrotaskIgnoresPatchedPromises(t *testing.T) {
	expect(t, `
		Promise.prototype.then = function () { console.log('patched') };
		Object.defineProperty(Object.prototype, 'then', { get() { console.log('getter'); } });
		Promise.prototype.constructor = null;
		queueMicrotask(() => console.log('ran'));`,
		"ran\n")
}

func TestTimersCallBackWithTheirHandleAsThis(t *testing.T) {
	expect(t, `
		const t = setTimeout(function (...args) { console.log(this === t, args.length, t.hasRef()) }, 1, 'a', 'b');
		const m = setImmediate(function () { console.log(this === m) });
		console.log(typeof +t, t.constructor.name, m.constructor.name, t.refresh() === t, t.unref().hasRef(), t.ref() === t);
		const end = performance.now() + 2; while (performance.now() < end);`,
		"number Timeout Immediate true false true\ntrue 2 true\ntrue\n")
}

func TestTimersAreClearedByHandleNumberAndString(t *testing.T) {
	expect(t, `
		const no = () => console.log('no');
		clearTimeout(setTimeout(no, 1));
		clearInterval(+setTimeout(no, 1));
		clearTimeout(String(+setInterval(no, 1)));
		setTimeout(no, 1)[Symbol.toPrimitive]();
		clearImmediate(setImmediate(no));
		const i = setInterval(() => { clearInterval(i); console.log('once') }, 1);`,
		"no\nonce\n")
}

func TestTimerCallbacksMustBeFunctions(t *testing.T) {
	expect(t, `
		for (const f of [setTimeout, setInterval, setImmediate, queueMicrotask, process.nextTick]) {
			try { f('code') } catch (e) { console.log(e.name, e.code, e.message) }
		}`,
		`TypeError ERR_INVALID_ARG_TYPE The "callback" argument must be of type function. Received type string ('code')
TypeError ERR_INVALID_ARG_TYPE The "callback" argument must be of type function. Received type string ('code')
TypeError ERR_INVALID_ARG_TYPE The "callback" argument must be of type function. Received type string ('code')
TypeError ERR_INVALID_ARG_TYPE The "callback" argument must be of type function. Received type string ('code')
TypeError ERR_INVALID_ARG_TYPE The "callback" argument must be of type function. Received type string ('code')
`)
}
