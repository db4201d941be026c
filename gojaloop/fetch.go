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

// WithFetch gives scripts fetch, Headers, Request, Response, Blob, File and FormData, through an HTTP client, which decides
// what they may reach: by its Transport, which sees every request, and by its CheckRedirect, which is asked before each
// redirect is followed; [WithFetchHosts] limits the hosts. How redirects change a request is Fetch's rule, not package
// http's. Cookies are the client's affair.
//
// When the client fails, fetch rejects with a TypeError whose cause is an Error. If the script lets that through, the error
// that Go code gets matches the client's, or its Transport's.
func WithFetch(client *http.Client) Option { return func(o *options) { o.client = client } }

// fetchPiece is how much of a body is read at a time.
const fetchPiece = 64 << 10

func (rt *Runtime) fetchNatives(o *goja.Object) {
	rt.set(o, "fetch", rt.fetch)
	rt.set(o, "multipart", func(call goja.FunctionCall) goja.Value {
		return rt.multipart(call.Argument(0).String(), bufferBytes(call.Argument(1)))
	})
}

// fetch starts a request: method, URL, headers, the body's bytes or null, whether a stream is to be sent, the mode of
// redirects, the referrer and its policy. It returns what lib/fetch.js drives it by: answer, a promise for a plain object; write, close and fail, for
// the stream; and cancel, which ends everything.
func (rt *Runtime) fetch(call goja.FunctionCall) goja.Value {
	op := rt.begin(nil)
	// The body outlives this operation: it is read when the script asks for it, until the program ends.
	ctx, cancel := context.WithCancel(op.parent)
	x := &exchange{ctx: ctx, client: *rt.opts.client, hosts: rt.opts.hosts, redirect: call.Argument(5).String()}
	x.method, x.url = call.Argument(0).String(), call.Argument(1).String()
	x.referrer, x.policy = call.Argument(6).String(), call.Argument(7).String()
	if b, ok := hostValue[goja.ArrayBuffer](call.Argument(3)); ok {
		x.body = b.Bytes()
	}
	var headers [][2]string
	if err := rt.vm.ExportTo(call.Argument(2), &headers); err != nil {
		cancel()
		panic(rt.newError(err))
	}
	x.setHeaders(headers)
	handle := rt.vm.NewObject()
	rt.set(handle, "answer", op.promise)
	rt.set(handle, "cancel", func(goja.FunctionCall) goja.Value {
		cancel()
		return goja.Undefined()
	})
	if call.Argument(4).ToBoolean() {
		rt.sendStream(handle, x)
	}
	go func() {
		resp, err := x.do()
		op.finish(func() (goja.Value, error) {
			if err != nil {
				cancel()
				return rt.fetchFailure(err), nil
			}
			return rt.fetchAnswer(resp, x, cancel), nil
		})
	}()
	return handle
}

// sendStream makes the body of an exchange what the script writes. The pipe is closed when the exchange ends, so that no
// write waits for ever.
func (rt *Runtime) sendStream(handle *goja.Object, x *exchange) {
	r, w := io.Pipe()
	x.stream = r
	context.AfterFunc(x.ctx, func() { _ = r.CloseWithError(context.Cause(x.ctx)) })
	rt.set(handle, "write", func(call goja.FunctionCall) goja.Value {
		piece := bufferBytes(call.Argument(0)) // nobody else has it
		op := rt.begin(nil)
		go func() {
			_, err := w.Write(piece)
			op.finish(func() (goja.Value, error) { return goja.Undefined(), err })
		}()
		return op.promise
	})
	rt.set(handle, "close", func(goja.FunctionCall) goja.Value {
		_ = w.Close()
		return goja.Undefined()
	})
	rt.set(handle, "fail", func(call goja.FunctionCall) goja.Value {
		_ = w.CloseWithError(errors.New(call.Argument(0).String()))
		return goja.Undefined()
	})
}

func (rt *Runtime) fetchFailure(err error) goja.Value {
	o := rt.vm.NewObject()
	rt.set(o, "error", rt.newError(err))
	return o
}

// fetchAnswer makes what the promise of fetch is resolved with.
func (rt *Runtime) fetchAnswer(resp *http.Response, x *exchange, cancel context.CancelFunc) goja.Value {
	o := rt.vm.NewObject()
	rt.set(o, "status", resp.StatusCode)
	rt.set(o, "statusText", fromLatin1(strings.TrimPrefix(resp.Status[min(3, len(resp.Status)):], " ")))
	rt.set(o, "url", x.url)
	rt.set(o, "redirected", x.redirected)
	rt.set(o, "empty", resp.ContentLength == 0 || resp.Body == http.NoBody)
	var headers []any
	for name, values := range resp.Header {
		for _, v := range values {
			headers = append(headers, rt.vm.NewArray(name, fromLatin1(v)))
		}
	}
	rt.set(o, "headers", rt.vm.NewArray(headers...))
	end := func() {
		cancel()
		_ = resp.Body.Close()
	}
	// read gives an ArrayBuffer, null at the end, or what went wrong, as an Error.
	rt.set(o, "read", func(goja.FunctionCall) goja.Value {
		op := rt.begin(nil)
		go func() {
			piece := make([]byte, fetchPiece)
			n, err := resp.Body.Read(piece)
			for n == 0 && err == nil {
				n, err = resp.Body.Read(piece)
			}
			if n == 0 {
				end()
			}
			op.finish(func() (goja.Value, error) {
				switch {
				case n > 0:
					return rt.vm.ToValue(rt.vm.NewArrayBuffer(bytes.Clone(piece[:n]))), nil
				case errors.Is(err, io.EOF):
					return goja.Null(), nil
				}
				return rt.newError(err), nil
			})
		}()
		return op.promise
	})
	rt.set(o, "cancel", func(goja.FunctionCall) goja.Value {
		end()
		return goja.Undefined()
	})
	return o
}

// fromLatin1 makes a string of bytes that stand for the code points of their values, as in headers (isomorphic decode);
// toLatin1 is the other way round.
func fromLatin1(s string) string {
	for i := range len(s) {
		if s[i] >= 0x80 {
			runes := make([]rune, 0, len(s))
			for j := range len(s) {
				runes = append(runes, rune(s[j]))
			}
			return string(runes)
		}
	}
	return s
}

func toLatin1(s string) string {
	b, ok := latin1(s)
	if !ok {
		return s
	}
	return string(b)
}
