package contracts_test

import (
	"context"
	"io/fs"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// borrowing has arrow functions that use the arguments of functions around them, which do not mention them.
const borrowing = `
	function plain(a, b) { return (() => [a, arguments.length, arguments[1]].join())(); }
	function strict(a) { 'use strict'
		return (() => [arguments.length, this === undefined].join())(); }
	const object = { m() { return () => () => arguments[0]; } };
	function declared() { let arguments = 'own'; return (() => arguments)(); }
	const results = [plain(1, 2, 3), strict(4), object.m('deep')()(), declared(5)].join(' ');
`

func TestArrowFunctionsSeeTheArgumentsOfTheFunctionAround(t *testing.T) {
	expect(t, borrowing+`console.log(results)`, "1,3,2 1,true deep own\n")
}

func TestArrowFunctionsOfModulesSeeArgumentsToo(t *testing.T) {
	var out strings.Builder
	rt := gojaloop.New(eventloop.New(), gojaloop.WithOutput(&out, &out), gojaloop.WithModules(func(path string) ([]byte, error) {
		switch {
		case strings.HasSuffix(path, "m.js"):
			return []byte(borrowing + `exports.results = results; exports.top = () => typeof arguments;`), nil
		case strings.HasSuffix(path, "data.json"):
			return []byte(`{ "arguments": "=>" }`), nil
		}
		return nil, fs.ErrNotExist
	}))
	err := rt.Run(context.Background(), `const m = require('./m.js'); console.log(m.results, m.top(), require('./data.json'))`)
	if want := "1,3,2 1,true deep own object { arguments: '=>' }\n"; err != nil || out.String() != want {
		t.Errorf("%q, want %q: %v", out.String(), want, err)
	}
}

func TestAMentionOfArgumentsIsNotSeenInTheSource(t *testing.T) {
	expect(t, `
		function f(a) { 'use strict'; return (() => arguments.length)(); }
		console.log(f.toString(), f(1, 2));
		function g() { (() => { arguments; throw new Error('here'); })(); }
		try { g(); } catch (e) { console.log(/:4:\d+/.test(e.stack)); }`,
		"function f(a) { 'use strict'; return (() => arguments.length)(); } 2\ntrue\n")
}
