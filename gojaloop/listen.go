package gojaloop

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
	"github.com/eventloop-go/eventloop/gojaloop/internal/web/serve"
)

// Listen opens a listener, as [net.ListenConfig.Listen] does.
type Listen func(ctx context.Context, network, address string) (net.Listener, error)

// WithListen lets scripts be HTTP servers: with the global function serve, and with createServer of Node's modules http and https. The
// function listen decides which addresses they may use. It gets "tcp" and host:port, and runs on the loop. An error throws in
// serve, and is the event error of Node's servers. A listener of package crypto/tls makes a server of https.
//
// limits hold for each request, as for [Runtime.Handler]. Heads of requests have at most 16 KiB and must arrive within 60
// seconds. An idle connection is closed after 5 seconds. These are Node's limits.
//
// A server keeps the program alive until it is closed, or unref is called. When the loop shuts down, its servers accept no
// more connections, and answer the requests that they have; [eventloop.WithDrainTimeout] limits that time. When the program ends in
// another way, its servers' connections are closed.
func WithListen(listen Listen, limits HandlerConfig) Option {
	return func(o *options) { o.listen, o.limits = listen, limits }
}

// Node's limits.
const (
	headTimeout = 60 * time.Second
	idleTimeout = 5 * time.Second
	maxHead     = 16 << 10
)

// A server is one of a script.
type server struct {
	rt       *Runtime
	http     http.Server
	address  net.Addr
	handler  goja.Callable // gets a visit
	onClosed goja.Callable
	forget   func() bool // the end of the program

	// The loop's goroutine owns the fields below.
	alive   func() // keeps the loop open; nil if unreferenced
	closing bool
}

// listenNatives defines the natives of the scripts serve.js and httpserver.js.
func (rt *Runtime) listenNatives(h *host) {
	h.Define("listen", func(a engine.Args) any { // (hostname, port, handler, function for the end): a server
		handler, _ := goja.AssertFunction(a.Value(2).(goja.Value))
		onClosed, _ := goja.AssertFunction(a.Value(3).(goja.Value))
		s, err := rt.listen(a.Text(0), int(a.Integer(1)), handler, onClosed)
		if err != nil {
			panic(rt.listenError(err, net.JoinHostPort(a.Text(0), a.Text(1))))
		}
		return engine.Held{Value: s}
	})
	on := func(name string, fn func(s *server, a engine.Args)) {
		h.Define(name, func(a engine.Args) any {
			s, _ := engine.HeldBy[*server](a, 0)
			fn(s, a)
			return nil
		})
	}
	on("serverShutdown", func(s *server, a engine.Args) { s.shutdown(a.True(1)) })
	on("serverRef", func(s *server, a engine.Args) {
		if a.True(1) {
			s.ref()
		} else {
			rt.unreferenced = true
			s.unref()
		}
	})
	h.Define("serverAddress", func(a engine.Args) any {
		s, _ := engine.HeldBy[*server](a, 0)
		host, port, _ := net.SplitHostPort(s.address.String())
		n, _ := strconv.Atoi(port)
		return engine.Object{"hostname", host, "port", n}
	})
}

var errNoListen = errors.New("a script must not listen: the runtime was made without WithListen")

func (rt *Runtime) listen(hostname string, port int, handler, onClosed goja.Callable) (*server, error) {
	if rt.opts.listen == nil {
		return nil, errNoListen
	}
	life := adapter.Of(rt.loop).Context()
	if rt.program != nil {
		life = rt.program.life
	}
	if rt.servers == nil {
		if err := adapter.Of(rt.loop).AtEnd(rt.shutdownServers, rt.closeServers); err != nil {
			return nil, err
		}
		rt.servers = make(map[*server]struct{})
	}
	listener, err := rt.opts.listen(life, "tcp", net.JoinHostPort(hostname, strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	s := &server{rt: rt, address: listener.Addr(), handler: handler, onClosed: onClosed}
	s.http = http.Server{
		Handler:           rt.opts.limits.handler(s.answer),
		ReadHeaderTimeout: headTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHead,
	}
	s.ref()
	rt.servers[s] = struct{}{}
	s.forget = context.AfterFunc(life, func() { _ = s.http.Close() })
	go func() { _ = s.http.Serve(listener) }() // until it is shut down or closed
	return s, nil
}

func (s *server) answer(ctx context.Context, q request) error {
	return s.rt.answer(ctx, q, func(v *serve.Visit) error { return s.rt.callWith(v, s.handler) })
}

func (s *server) ref() {
	if s.alive == nil && !s.closing {
		s.alive, _ = s.rt.loop.KeepAlive()
		s.rt.pending++
	}
}

func (s *server) unref() {
	if s.alive == nil {
		return
	}
	s.alive()
	s.alive = nil
	s.rt.pending--
	if !s.rt.turn.Inside() {
		s.rt.settle()
	}
}

// shutdown closes the listener, and the connections when their requests have been answered; at once if it is forced.
func (s *server) shutdown(force bool) {
	if force {
		defer func() { _ = s.http.Close() }()
	}
	if s.closing {
		return
	}
	s.closing = true
	hooks := adapter.Of(s.rt.loop)
	hooks.Hold(1)
	go func() {
		_ = s.http.Shutdown(hooks.Context())
		_ = s.rt.loop.SubmitInternal(func() { // refused after the loop's end
			hooks.Hold(-1)
			s.forget()
			delete(s.rt.servers, s)
			s.rt.turn.Enter(func() { s.rt.call(s.onClosed, goja.Undefined()) })
			s.unref()
		})
	}()
}

// shutdownServers and closeServers are called at the loop's end.
func (rt *Runtime) shutdownServers() {
	for s := range rt.servers {
		s.shutdown(false)
	}
}

func (rt *Runtime) closeServers() {
	for s := range rt.servers {
		_ = s.http.Close()
	}
}

// listenError is what a script gets when it cannot listen.
func (rt *Runtime) listenError(err error, address string) goja.Value {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return rt.vm.CodedError("Error", "EADDRINUSE", "listen EADDRINUSE: address already in use "+address)
	case errors.Is(err, errNoListen):
		return rt.vm.CodedError("Error", "ERR_ACCESS_DENIED", err.Error())
	case errors.Is(err, os.ErrPermission):
		return rt.vm.CodedError("Error", "EACCES", "listen EACCES: permission denied "+address)
	}
	return rt.vm.NewError(err)
}
