// Package fetch is fetch, Headers, Request, Response, Blob, File and FormData (Fetch, File API, XHR).
package fetch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
	"github.com/eventloop-go/eventloop/gojaloop/internal/web/encoding"
)

// piece is how much of a body is read at a time.
const piece = 64 << 10

// A fetcher is fetch of a runtime.
type fetcher struct {
	engine engine.Engine
	client *http.Client
	hosts  *Hosts
}

// Define defines the natives of these scripts. Without a client scripts have no fetch.
func Define(e engine.Engine, client *http.Client, hosts *Hosts) {
	f := &fetcher{e, client, hosts}
	e.Define("fetch", f.fetch)
	e.Define("multipart", func(a engine.Args) any {
		b, _ := a.Bytes(1)
		return readParts(a.Text(0), b)
	})
}

// fetch starts a request. Its arguments are method, URL, headers, the body's bytes or null, whether to send a stream,
// the mode of redirects, the referrer and its policy. It returns an object for fetch.js: answer, a promise for a
// plain object; write, close and fail, for the stream; and cancel, which ends everything.
func (f *fetcher) fetch(a engine.Args) any {
	op := f.engine.Begin()
	// The body outlives this operation: it is read when the script asks for it.
	ctx, cancel := op.Life()
	x := &exchange{ctx: ctx, client: *f.client, hosts: f.hosts, redirect: a.Text(5)}
	x.method, x.url = a.Text(0), a.Text(1)
	x.referrer, x.policy = a.Text(6), a.Text(7)
	if b, ok := a.Bytes(3); ok {
		x.body = b
	}
	var headers [][2]string
	if err := a.Export(2, &headers); err != nil {
		cancel()
		f.engine.Raise(f.engine.Failure(err))
	}
	handle := engine.Object{"answer", op.Promise(), "cancel", engine.Native(func(engine.Args) any {
		cancel()
		return nil
	})}
	if a.True(4) {
		handle = append(handle, f.stream(x)...)
	}
	f.engine.Work(func() {
		resp, err := x.do(headers)
		op.Finish(func() (any, error) {
			if err != nil {
				cancel()
				return engine.Object{"error", f.engine.Failure(err)}, nil
			}
			return f.answer(resp, x, cancel), nil
		})
	})
	return handle
}

// stream sends the script's writes as the body of an exchange. The pipe is closed when the exchange ends, so that no
// write waits for ever.
func (f *fetcher) stream(x *exchange) engine.Object {
	r, w := io.Pipe()
	x.stream = r
	context.AfterFunc(x.ctx, func() { _ = r.CloseWithError(context.Cause(x.ctx)) })
	write := func(a engine.Args) any {
		b, _ := a.Bytes(0) // no other reference to it exists
		op := f.engine.Begin()
		f.engine.Work(func() {
			_, err := w.Write(b)
			op.Finish(func() (any, error) { return nil, err })
		})
		return op.Promise()
	}
	end := func(engine.Args) any {
		_ = w.Close()
		return nil
	}
	fail := func(a engine.Args) any {
		_ = w.CloseWithError(errors.New(a.Text(0)))
		return nil
	}
	return engine.Object{"write", engine.Native(write), "close", engine.Native(end), "fail", engine.Native(fail)}
}

// answer makes the value of fetch's promise.
func (f *fetcher) answer(resp *http.Response, x *exchange, cancel context.CancelFunc) any {
	var headers engine.Array
	for name, values := range resp.Header {
		for _, v := range values {
			headers = append(headers, engine.Array{name, encoding.FromLatin1(v)})
		}
	}
	end := func() {
		cancel()
		_ = resp.Body.Close()
	}
	return engine.Object{
		"status", resp.StatusCode,
		"statusText", encoding.FromLatin1(strings.TrimPrefix(resp.Status[min(3, len(resp.Status)):], " ")),
		"url", x.url,
		"redirected", x.redirected,
		"empty", resp.ContentLength == 0 || resp.Body == http.NoBody,
		"headers", headers,
		"read", engine.Native(func(engine.Args) any { return f.read(resp.Body, end) }),
		"cancel", engine.Native(func(engine.Args) any {
			end()
			return nil
		}),
	}
}

// read returns a promise for an ArrayBuffer, null at the end, or an Error.
func (f *fetcher) read(body io.Reader, end func()) engine.Value {
	op := f.engine.Begin()
	f.engine.Work(func() {
		b := make([]byte, piece)
		n, err := body.Read(b)
		for n == 0 && err == nil {
			n, err = body.Read(b)
		}
		if n == 0 {
			end()
		}
		op.Finish(func() (any, error) {
			switch {
			case n > 0:
				return engine.Bytes(bytes.Clone(b[:n])), nil
			case errors.Is(err, io.EOF):
				return engine.Null{}, nil
			}
			return f.engine.Failure(err), nil
		})
	})
	return op.Promise()
}
