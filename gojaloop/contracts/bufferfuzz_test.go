package contracts_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"testing"
	"unicode/utf8"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// bufferOperations calls what takes numbers and bytes of a script. It returns texts of the bytes, or wrong with the first fault:
// each exception must be an Error with a code.
const bufferOperations = `function operate(latin1, encoding, a, b, c) {
	const data = Buffer.from(latin1, 'latin1'), names = ['utf8', 'utf16le', 'latin1', 'ascii', 'base64', 'base64url', 'hex'];
	for (const e of ['latin1', 'base64', 'base64url', 'hex']) if (!Buffer.from(data.toString(e), e).equals(data)) return { wrong: 'not the same again: ' + e };
	const even = data.subarray(0, data.length & ~1);
	if (!Buffer.from(even.toString('utf16le'), 'utf16le').equals(even)) return { wrong: 'not the same again: utf16le' };
	for (const e of names) {
		const made = Buffer.from(latin1, e);
		if (made.length > Buffer.byteLength(latin1, e)) return { wrong: 'byteLength: ' + e };
		if (made.write(latin1, e) !== made.length) return { wrong: 'write: ' + e };
	}
	const calls = {
		slice: () => data.slice(a, b), subarray: () => data.subarray(a, b), toString: () => data.toString(encoding, a, b), fill: () => Buffer.from(data).fill(latin1, a, b, encoding),
		copy: () => data.copy(Buffer.alloc(64), a, b, c), write: () => Buffer.alloc(64).write(latin1, a, b, encoding), indexOf: () => data.indexOf(latin1.slice(0, 3), a, encoding),
		lastIndexOf: () => data.lastIndexOf(latin1.slice(0, 3), a, encoding), includes: () => data.includes(a, b), compare: () => data.compare(data, a, b, c, a),
		alloc: () => a < 1e6 && Buffer.alloc(a, latin1, encoding), concat: () => b < 1e6 && Buffer.concat([data, data], b), from: () => Buffer.from(latin1, encoding),
		readIntLE: () => data.readIntLE(a, b), readUIntBE: () => data.readUIntBE(a, b), writeIntBE: () => Buffer.from(data).writeIntBE(a, b, c), writeUIntLE: () => Buffer.from(data).writeUIntLE(a, b, c),
		swap: () => Buffer.from(data).swap16(), readDouble: () => data.readDoubleLE(a), bigint: () => data.readBigInt64BE(a), writeFloat: () => Buffer.from(data).writeFloatBE(a, b),
	};
	for (const name of Object.keys(calls)) {
		try { calls[name](); } catch (e) {
			if (!(e instanceof Error) || typeof e.code !== 'string') return { wrong: name + ': ' + e };
		}
	}
	return { base64: data.toString('base64'), hex: data.toString('hex'), utf8: data.toString() };
}`

func FuzzBuffersHoldTheirBytes(f *testing.F) {
	f.Add([]byte("abc\xff\x00"), "utf8", 0.0, 1.0, 2.0)
	f.Add([]byte("0g"), "hex", -1.0, 1e300, 0.5)
	f.Add([]byte("=a=="), "base64", float64(1<<31), 6.0, -5.0)
	f.Add([]byte("\xf0\x9f\x98\x80"), "latin1", 4.0, 0.0, float64(1<<53))
	f.Add([]byte{}, "nope", 0.0, 0.0, 0.0)
	loop := eventloop.New()
	rt := gojaloop.New(loop, gojaloop.WithModules(nil), gojaloop.WithHardening())
	ctx, cancel := context.WithCancel(context.Background())
	go func() { _ = loop.Run(ctx) }()
	f.Cleanup(func() {
		cancel()
		<-loop.Done()
	})
	if _, err := rt.Eval(ctx, bufferOperations); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, b []byte, encoding string, x, y, z float64) {
		units := make([]rune, len(b))
		for i, c := range b {
			units[i] = rune(c)
		}
		got, err := gojaloop.Call[struct{ Wrong, Base64, Hex, UTF8 string }](ctx, rt, "operate", string(units), encoding, x, y, z)
		if err != nil || got.Wrong != "" {
			t.Fatalf("%q %q %v %v %v: %s, %v", b, encoding, x, y, z, got.Wrong, err)
		}
		if got.Base64 != base64.StdEncoding.EncodeToString(b) || got.Hex != hex.EncodeToString(b) || utf8.Valid(b) && got.UTF8 != string(b) {
			t.Fatalf("%q became %+v", b, got)
		}
	})
}
