package contracts_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/eventloop-go/eventloop/gojaloop"
)

var updateCoverage = flag.Bool("coverage", false, "write docs/results/javascript/coverage.md")

// minimum are the names of WinterTC's minimum common web API (2025).
var minimum = strings.Fields(`AbortController AbortSignal Blob ByteLengthQueuingStrategy CompressionStream CountQueuingStrategy Crypto CryptoKey CustomEvent
	DOMException DecompressionStream ErrorEvent Event EventTarget File FormData Headers MessageChannel MessageEvent MessagePort Performance PromiseRejectionEvent
	ReadableByteStreamController ReadableStream ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableStreamDefaultController ReadableStreamDefaultReader
	Request Response SubtleCrypto TextDecoder TextDecoderStream TextEncoder TextEncoderStream TransformStream TransformStreamDefaultController URL URLPattern
	URLSearchParams WebAssembly WritableStream WritableStreamDefaultController WritableStreamDefaultWriter
	atob btoa clearInterval clearTimeout console crypto crypto.getRandomValues crypto.randomUUID crypto.subtle fetch globalThis navigator.userAgent onerror
	onrejectionhandled onunhandledrejection performance.now performance.timeOrigin queueMicrotask reportError self setInterval setTimeout structuredClone`)

// reasons say why a name, or a module, is absent or not whole.
var reasons = map[string]string{
	"CompressionStream":    "not written yet; module `zlib` compresses",
	"DecompressionStream":  "not written yet; module `zlib` decompresses",
	"CryptoKey":            "part of `crypto.subtle`",
	"SubtleCrypto":         "part of `crypto.subtle`",
	"crypto.subtle":        "not written yet; module `crypto` has hashes, ciphers and signatures",
	"TextDecoderStream":    "not written yet; `TextDecoder` has the option `stream`",
	"TextEncoderStream":    "not written yet; `TextEncoder` encodes chunks",
	"URLPattern":           "not written yet",
	"WebAssembly":          "the engine has none",
	"onerror":              "events of the process take its place",
	"onrejectionhandled":   "events of the process take its place",
	"onunhandledrejection": "events of the process take its place",
	"structuredClone":      "transfers array buffers only",

	"constants": "deprecated; `os.constants` and `fs.constants`", "domain": "deprecated", "punycode": "deprecated", "sys": "deprecated; `util`",
	"inspector/promises": "there is no debugger", "repl": "the command loopjs has one", "trace_events": "there are no trace events",
	"wasi": "the engine has no WebAssembly", "node:test": "not written yet", "node:sea": "an executable is Go's", "path/win32": "paths have slashes only",
	"fs": "writing fails with EROFS", "fs/promises": "writing fails with EROFS", "zlib": "Brotli is refused",
	"os": "it tells nothing of the machine", "tty": "there is no terminal", "readline": "there is no terminal",
}

// refusing are the modules that load, and whose functions refuse with the reason.
var refusing = map[string]string{
	"child_process": "a script starts no process", "cluster": "a script starts no process", "dgram": "there are no sockets", "dns": "there are no sockets",
	"dns/promises": "there are no sockets", "http2": "there are no sockets", "inspector": "there is no debugger", "net": "there are no sockets",
	"tls": "there are no sockets", "v8": "the engine is another", "vm": "there is one global object", "worker_threads": "a runtime has one thread",
}

// mostMissing is how many missing exports a row names.
const mostMissing = 12

// The page is made from what a runtime has. go test -run TestThePageOfCoverage -coverage writes it.
func TestThePageOfCoverageIsThatOfTheRuntime(t *testing.T) {
	var nodes map[string][]string // of Node 20, by module
	text, err := os.ReadFile("testdata/node20.json")
	if err := errors.Join(err, json.Unmarshal(text, &nodes)); err != nil {
		t.Fatal(err)
	}
	names := slices.Sorted(maps.Keys(nodes))
	question, _ := json.Marshal([]any{minimum, names, nodes})
	out, err := run(t, `
		const [minimum, names, nodes] = `+string(question)+`, answer = { has: {}, lacks: {} };
		for (const name of minimum) answer.has[name] = name.split('.').reduce((o, k) => (o === undefined || o === null ? undefined : o[k]), globalThis) !== undefined;
		for (const name of names) {
			let module = null;
			try { module = require(name); } catch (e) { if (e.code !== 'MODULE_NOT_FOUND' && e.code !== 'ERR_UNKNOWN_BUILTIN_MODULE') throw e; }
			answer.lacks[name] = module === null ? null : (nodes[name] || []).filter((k) => !(k in module));
		}
		process.stdout.write(JSON.stringify(answer));`,
		gojaloop.WithFiles(fstest.MapFS{}), gojaloop.WithFetch(http.DefaultClient))
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Has   map[string]bool
		Lacks map[string][]string
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	page.WriteString("# Coverage of JavaScript's APIs\n\nA test makes this page from a runtime with `WithFetch` and `WithFiles`.\n\n" +
		"## The minimum common web API\n\n| name | state |\n|---|---|\n")
	for _, name := range minimum {
		fmt.Fprintf(&page, "| `%s` | %s |\n", name, state(t, name, answer.Has[name]))
	}
	page.WriteString("\n## Node's modules\n\nThe exports are compared with Node 20's.\n\n| module | state |\n|---|---|\n")
	for _, name := range names {
		lacks := answer.Lacks[name]
		row := state(t, name, lacks != nil)
		switch {
		case refusing[name] != "" && lacks != nil:
			row = "absent: it loads, and its functions refuse, because " + refusing[name]
		case len(lacks) > 0:
			row = "partly: "
			if reasons[name] != "" {
				row += reasons[name] + "; "
			}
			row += "without `" + strings.Join(lacks[:min(len(lacks), mostMissing)], "`, `") + "`"
			if n := len(lacks) - mostMissing; n > 0 {
				row += fmt.Sprintf(" and %d more", n)
			}
		}
		fmt.Fprintf(&page, "| `%s` | %s |\n", name, row)
	}
	for name := range reasons {
		if !slices.Contains(minimum, name) && !slices.Contains(names, name) {
			t.Errorf("%s is not in the tables", name)
		}
	}
	const file = "../../docs/results/javascript/coverage.md"
	if *updateCoverage {
		if err := os.WriteFile(file, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the module is not in its repository, which has the page")
	}
	if string(got) != page.String() {
		t.Errorf("docs/results/javascript/coverage.md is not what the runtime has: run go test -run TestThePageOfCoverage -coverage. Want\n%s", page.String())
	}
}

func state(t *testing.T, name string, present bool) string {
	reason := reasons[name]
	switch {
	case present && reason != "":
		return "partly: " + reason
	case present:
		return "present"
	case reason == "":
		t.Errorf("there is no reason why %s is absent", name)
	}
	return "absent: " + reason
}
