package contracts_test

import (
	"testing"

	"github.com/eventloop-go/eventloop/gojaloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

func TestDataThatNestsDeepEndsNoProgram(t *testing.T) {
	const nested = `const deep = (n, leaf = 0) => { let v = leaf; for (let i = 0; i < n; i++) v = i % 2 ? [v] : { v }; return v; };
		const attempt = (f) => { try { return f(); } catch (e) { return e.name; } };
		const { deepStrictEqual, notDeepStrictEqual } = require('assert');
		const special = (n) => { let v = new Error('x'); for (let i = 0; i < n; i++) v = [v, v]; return v; };
		const sets = (n) => { let v = {}; for (let i = 0; i < n; i++) v = new Set([v]); return v; };
		const depthOf = (v) => { let n = 0; for (; typeof v === 'object'; n++) v = Array.isArray(v) ? v[0] : v.v; return n; };
	`
	depth := "15000"
	if testkit.Full() {
		depth = "50000" // takes seconds: the time grows with the square
	}
	for _, c := range []struct{ src, want string }{
		{`depthOf(structuredClone(JSON.parse(JSON.stringify(deep(1250)))))`, "1250"},
		{`depthOf(structuredClone(deep(9000)))`, "9000"},
		{`structuredClone(deep(50000))`, "RangeError"},
		{`structuredClone(special(2000))`, "RangeError"},
		{`deepStrictEqual(JSON.parse(JSON.stringify(deep(1250))), deep(1250))`, "undefined"},
		{`deepStrictEqual(deep(` + depth + `), deep(` + depth + `))`, "undefined"},
		{`notDeepStrictEqual(deep(` + depth + `, 1), deep(` + depth + `, 2))`, "undefined"},
		{`deepStrictEqual(sets(1000), sets(1000))`, "RangeError"},
		{`require('util').isDeepStrictEqual({ a: [1, { b: new Map([[{ c: 1 }, new Set([[2]])]]) }] }, { a: [1, { b: new Map([[{ c: 1 }, new Set([[2]])]]) }] })`, "true"},
		{`require('util').isDeepStrictEqual({ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] })`, "false"},
	} {
		expect(t, nested+`console.log(attempt(() => `+c.src+`))`, c.want+"\n", gojaloop.WithModules(nil))
	}
}

func TestCaptureStackTraceWorksWhereThereIsNoStack(t *testing.T) {
	expect(t, `Promise.resolve({}).then(Error.captureStackTrace).then(() => console.log('done'));
		Promise.resolve({}).then(Object).then((o) => { Error.captureStackTrace(o); console.log(typeof o.stack) });`, "done\nstring\n", gojaloop.WithModules(nil))
}

func TestASpeciesThatShrinksTheArrayLeavesItsLengthRight(t *testing.T) {
	expect(t, `
		for (const method of ['slice', 'splice']) {
			const a = [1, 2, 3, 4, 5, 6];
			a.constructor = { [Symbol.species]: function () { a.length = 2; return [] } };
			const r = a[method](1, 4);
			console.log(r.length, JSON.stringify(r), a.length, JSON.stringify(a), Object.keys(a).join());
		}`, "3 [2,null,null] 2 [1,2] 0,1,constructor\n4 [2,null,null,null] 2 [1,null] 0,constructor\n", gojaloop.WithHardening())
}
