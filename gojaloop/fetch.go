package gojaloop

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/dop251/goja"
)

// WithFetch gives scripts fetch, Headers, Request and Response, through an HTTP client, which decides what they may
// reach. Cookies are the client's affair.
func WithFetch(client *http.Client) Option { return func(o *options) { o.client = client } }

// fetchPiece is how much of a body is read at a time.
const fetchPiece = 64 << 10

func (rt *Runtime) fetchNatives(o *goja.Object) {
	_ = o.Set("fetch", rt.fetch)
	_ = o.Set("multipart", func(call goja.FunctionCall) goja.Value {
		b, _ := hostValue[goja.ArrayBuffer](call.Argument(1))
		return rt.multipart(call.Argument(0).String(), b.Bytes())
	})
}

// fetch starts a request. Its promise is for a plain object, of which lib/fetch.js makes a Response.
func (rt *Runtime) fetch(call goja.FunctionCall) goja.Value {
	signal, _ := call.Argument(5).(*goja.Object)
	op := rt.begin(signal)
	// The body outlives this operation: it is read when the script asks for it, until the program or the signal ends.
	ctx, cancel := context.WithCancel(op.parent)
	stop := context.AfterFunc(op.ctx, func() {
		if op.aborted.Load() {
			cancel()
		}
	})
	var body io.Reader
	if b, ok := hostValue[goja.ArrayBuffer](call.Argument(3)); ok {
		body = bytes.NewReader(bytes.Clone(b.Bytes()))
	}
	req, err := http.NewRequestWithContext(ctx, call.Argument(0).String(), call.Argument(1).String(), body)
	if err == nil {
		var headers [][2]string
		err = rt.vm.ExportTo(call.Argument(2), &headers)
		for _, h := range headers {
			req.Header.Add(h[0], h[1])
		}
	}
	if err != nil {
		cancel()
		op.settle(func() error { return op.resolve(rt.fetchFailure(err)) })
		return op.promise
	}
	client := *rt.opts.client
	redirect := call.Argument(4).String()
	redirected := false
	before := client.CheckRedirect
	client.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		switch {
		case redirect == "error":
			return errors.New("unexpected redirect")
		case redirect == "manual":
			return http.ErrUseLastResponse
		case before != nil:
			return before(r, via)
		case len(via) >= 20:
			return errors.New("redirect count exceeded")
		}
		redirected = true
		return nil
	}
	go func() {
		resp, err := client.Do(req)
		op.finish(func() (goja.Value, error) {
			stop()
			if err != nil {
				cancel()
				return rt.fetchFailure(err), nil
			}
			return rt.fetchAnswer(resp, redirected, signal, cancel), nil
		})
	}()
	return op.promise
}

func (rt *Runtime) fetchFailure(err error) goja.Value {
	o := rt.vm.NewObject()
	_ = o.Set("error", err.Error())
	return o
}

// fetchAnswer makes what the promise of fetch is resolved with.
func (rt *Runtime) fetchAnswer(resp *http.Response, redirected bool, signal *goja.Object, cancel context.CancelFunc) goja.Value {
	o := rt.vm.NewObject()
	_ = o.Set("status", resp.StatusCode)
	_ = o.Set("statusText", strings.TrimSpace(strings.TrimPrefix(resp.Status, resp.Status[:min(3, len(resp.Status))])))
	_ = o.Set("url", resp.Request.URL.String())
	_ = o.Set("redirected", redirected)
	var headers []any
	for name, values := range resp.Header {
		for _, v := range values {
			headers = append(headers, rt.vm.NewArray(name, v))
		}
	}
	_ = o.Set("headers", rt.vm.NewArray(headers...))
	_ = o.Set("read", func(goja.FunctionCall) goja.Value {
		op := rt.begin(signal)
		op.onAbort = cancel
		go func() {
			piece := make([]byte, fetchPiece)
			n, err := resp.Body.Read(piece)
			for n == 0 && err == nil {
				n, err = resp.Body.Read(piece)
			}
			op.finish(func() (goja.Value, error) {
				switch {
				case n > 0:
					b, err := rt.vm.New(rt.vm.Get("Uint8Array"), rt.vm.ToValue(rt.vm.NewArrayBuffer(piece[:n])))
					return b, err
				case errors.Is(err, io.EOF):
					_ = resp.Body.Close()
					cancel()
					return goja.Null(), nil
				}
				cancel()
				return nil, err
			})
		}()
		return op.promise
	})
	_ = o.Set("cancel", func(goja.FunctionCall) goja.Value {
		cancel()
		return goja.Undefined()
	})
	return o
}
