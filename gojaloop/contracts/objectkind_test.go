package contracts_test

import "testing"

func TestObjectsAreWhatTheyWereMadeAsWhateverTheirPrototypeIs(t *testing.T) {
	expect(t, `
		const bare = (o) => Object.setPrototypeOf(o, null);
		const copies = [new Map([[1, 2]]), new Set([3]), new ArrayBuffer(2), new Uint8Array(1), new DataView(new ArrayBuffer(1)), Object(1n), Object(1), new Date(0), /x/].map((o) => structuredClone(bare(o)));
		console.log(copies.map((o) => o.constructor.name).join());
		const stuck = [Promise.resolve(), new WeakMap(), new WeakSet(), (function* () {})(), new Map().keys(), new Set().keys(), [].keys(), ''[Symbol.iterator](), 'a'.matchAll(/a/g), Object(Symbol('s'))];
		console.log(stuck.map((o) => { try { structuredClone(bare(o)); return 'cloned'; } catch (e) { return e.name; } }).join());
		const fakes = [Map, Set, WeakMap, Promise, ArrayBuffer, Uint8Array, BigInt, Symbol, Date].map((C) => structuredClone(Object.create(C.prototype)));
		console.log(fakes.map((o) => o.constructor.name).join());`,
		`Map,Set,ArrayBuffer,Uint8Array,DataView,BigInt,Number,Date,RegExp
DataCloneError,DataCloneError,DataCloneError,DataCloneError,DataCloneError,DataCloneError,DataCloneError,DataCloneError,DataCloneError,DataCloneError
Object,Object,Object,Object,Object,Object,Object,Object,Object
`)
}
