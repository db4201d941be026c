package gojaloop

import (
	"io"
	"net/http"
	"time"

	"github.com/dlclark/regexp2/v2"
	"github.com/eventloop-go/eventloop/gojaloop/internal/files"
	"github.com/eventloop-go/eventloop/gojaloop/internal/inside"
	"github.com/eventloop-go/eventloop/gojaloop/internal/web/fetch"
	"github.com/eventloop-go/eventloop/js"
)

// An Option configures a [Runtime].
type Option func(*options)

type options struct {
	stdout, stderr io.Writer
	left           map[Group]bool
	client         *http.Client
	hosts          *fetch.Hosts
	listen         Listen
	limits         HandlerConfig // of requests to servers of the script
	modules        bool
	files          *files.System // nil without
	transform      func(path, src string) (string, error)
	argv, flags    []string
	env            map[string]string
	maxStack       int
	goErrors       bool
	hardened       bool
	compatible     *inside.Compatible // nil without
	onUncaught     func(error)
	onStop         func(error)
	jsOpts         []js.Option
}

// defaultStack is how deep calls of script functions may nest. Node allows some four times as many; but unwinding goja
// through that many native frames, of sort callbacks for instance, takes seconds that nothing can interrupt.
const defaultStack = 2500

// WithOutput sets where console and process.stdout and process.stderr write; by default to those of the process.
func WithOutput(stdout, stderr io.Writer) Option {
	return func(o *options) { o.stdout, o.stderr = stdout, stderr }
}

// WithMaxStack sets how deep calls may nest before the script is ended with an [UncaughtError].
func WithMaxStack(calls int) Option { return func(o *options) { o.maxStack = calls } }

// WithArguments sets process.argv.
func WithArguments(argv ...string) Option { return func(o *options) { o.argv = argv } }

// WithEnvironment sets process.env, which is empty by default.
func WithEnvironment(env map[string]string) Option { return func(o *options) { o.env = env } }

// WithUncaught sets who learns of exceptions that nobody caught while no program of [Runtime.Run] is running. By
// default they are logged through [log/slog].
func WithUncaught(handle func(error)) Option { return func(o *options) { o.onUncaught = handle } }

// WithStop sets who learns, on the loop, that the runtime has stopped for good, and why: *[ExitError], *[UncaughtError],
// *[InterruptError], *[EngineError], or nil for process.exit(0). Inside the engine this comes before the script has been
// left. A program that ends because nothing is left to do does not stop the runtime.
func WithStop(handle func(error)) Option { return func(o *options) { o.onStop = handle } }

// WithWebTimers makes delays follow HTML instead of Node: see [js.WithWebDelays].
func WithWebTimers() Option {
	return func(o *options) { o.jsOpts = append(o.jsOpts, js.WithWebDelays()) }
}

// WithNodeFlags sets process.execArgv, and follows Node's flags about warnings and rejections. These are --no-warnings,
// --no-deprecation, --throw-deprecation, --trace-deprecation, --trace-warnings and --unhandled-rejections=MODE. MODE is throw
// (the default), strict, warn, warn-with-error-code or none. All other flags change nothing.
func WithNodeFlags(flags ...string) Option { return func(o *options) { o.flags = flags } }

// WithGoErrors lets scripts see errors of Go's: as the property value of a GoError, with the exported fields and methods of
// the error. By default they get an Error with the message, and nothing else.
func WithGoErrors() Option { return func(o *options) { o.goErrors = true } }

// WithHardening guards operations of the engine that would end the process, against scripts that attack. On proxies
// of proxies, and on deeply nested JSON, the engine overflows Go's stack. It allocates any amount that a script
// requests, and panics on some arguments. With the guards these are exceptions.
//
// It makes a runtime slower to start, and such operations slower. It does not make the process safe: operators, such
// as the shift of a BigInt, have no guard, and memory that grows step by step has no limit. Run untrusted scripts in
// a process of their own: package sandbox.
func WithHardening() Option { return func(o *options) { o.hardened = true } }

// A Group names globals that belong together, for [Without].
type Group string

// The groups of globals. Those that reach the network or files are not among them: they are there only if the embedder
// says so, with [WithFetch] and [WithModules].
const (
	Timers      Group = "timers"      // setTimeout, setInterval, setImmediate, their clear functions (Node, HTML 8.7)
	Microtasks  Group = "microtasks"  // queueMicrotask (HTML 8.8)
	Process     Group = "process"     // process (Node)
	Console     Group = "console"     // console (Console Standard, Node)
	Events      Group = "events"      // Event, EventTarget, CustomEvent, AbortController, AbortSignal (DOM)
	Clone       Group = "clone"       // structuredClone, DOMException (HTML 2.7, Web IDL)
	Performance Group = "performance" // performance (High Resolution Time, User Timing)
	Encoding    Group = "encoding"    // TextEncoder, TextDecoder, atob, btoa (Encoding, HTML 8.3)
	Crypto      Group = "crypto"      // crypto.randomUUID and crypto.getRandomValues (Web Cryptography)
	URL         Group = "url"         // URL, URLSearchParams (URL)
	Streams     Group = "streams"     // ReadableStream, WritableStream, TransformStream and their kin (Streams)

	// CodeGeneration is no global: it is that eval, Function, and the constructors of the other kinds of functions, make code
	// of strings. Without it these throw an EvalError, as with Node's --disallow-code-generation-from-strings. Go code may
	// still use [goja.Runtime.RunString].
	CodeGeneration Group = "codegeneration"
)

// Without leaves groups of globals out.
func Without(groups ...Group) Option {
	return func(o *options) {
		if o.left == nil {
			o.left = make(map[Group]bool)
		}
		for _, g := range groups {
			o.left[g] = true
		}
	}
}

// WithFetch gives scripts fetch, Headers, Request, Response, Blob, File and FormData, through an HTTP client. The
// client decides which servers scripts may reach: its Transport sees every request, and its CheckRedirect every
// redirect before it is followed. [WithFetchHosts] limits the hosts. Redirects change a request by Fetch's rules,
// which differ from those of package http. Cookies are left to the client.
//
// fetch rejects if a script sets a forbidden request-header of the Fetch standard, such as Host, Content-Length, Connection
// or Transfer-Encoding. As in Node a script may set Cookie, Origin and Referer. Names are sent in their canonical spelling.
//
// When the client fails, fetch rejects with a TypeError whose cause is an Error. If the script lets that through, the error
// that Go code gets matches the client's, or its Transport's.
func WithFetch(client *http.Client) Option { return func(o *options) { o.client = client } }

// ErrHostNotAllowed says that a script has asked for a host that is not among those of [WithFetchHosts].
var ErrHostNotAllowed = fetch.ErrHostNotAllowed

// WithFetchHosts limits fetch to these hosts. Redirects are checked as requests are. A pattern is one of
//
//	api.example.com          this host, at the port of the scheme: 80 for http and 443 for https
//	api.example.com:8080     this host, at this port
//	api.example.com:*        this host, at any port
//	*.example.com            every sub-domain of example.com, at any depth, but not example.com; with ports as above
//	192.0.2.1, [2001:db8::1] this address; a name that leads to it is something else
//
// Hosts are compared as the URL Standard writes them: in small letters, with international names in Punycode, and addresses in
// one form. A request for another host rejects, with a cause that matches [ErrHostNotAllowed] and tells the host.
//
// Names are checked, and not the addresses that they lead to. Where names are not to be trusted, let the client's transport
// refuse addresses. Without a pattern no host is allowed. WithFetchHosts panics if a pattern has another form.
func WithFetchHosts(patterns ...string) Option {
	hosts := fetch.NewHosts(patterns)
	return func(o *options) { o.hosts = hosts }
}

// LimitRegexps limits the time of a match by some regular expressions: those with a look-around, a back-reference or
// another part for which the engine tries one way after the other. Such a match can take for ever, and nothing else
// stops it. A match that exceeds the limit counts as no match. Other expressions take time in proportion to the text.
//
// The limit holds for the whole process, and for expressions compiled later, also by other users of package regexp2.
// Set it before any script is compiled, best when the program starts. By default matches have no limit.
func LimitRegexps(limit time.Duration) { regexp2.DefaultMatchTimeout = limit }
