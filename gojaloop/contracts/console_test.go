package contracts_test

import "testing"

func TestATraceBeginsWhereItWasAskedFor(t *testing.T) {
	expect(t, "function f() { console.trace('x') }\nf();\n[1].forEach(console.trace)",
		"Trace: x\n    at f (script.js:1:29)\n    at script.js:2:2\nTrace: 1 0 [ 1 ]\n    at forEach (native)\n    at script.js:3:12\n")
}

func TestConsoleIsANamespaceWhoseMethodsStandAlone(t *testing.T) {
	expect(t, `const { log, group, groupEnd, count, error } = console;
		group('open'); log('in'); count(); error('%s and %d', 'text', 1); groupEnd(); log('out');
		for (const name of Object.keys(console)) if (console[name].name !== name) log(name);
		for (const name of ['log', 'table']) try { new console[name]() } catch (e) { log(e.name) }
		const proto = Object.getPrototypeOf(console);
		log(String(console), Object.keys(proto), Object.getPrototypeOf(proto) === Object.prototype);`,
		`open
  in
  default: 1
  text and 1
out
TypeError
TypeError
[object console] [] true
`)
}
