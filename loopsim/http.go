package loopsim

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"

	"github.com/eventloop-go/eventloop/promise"
)

// RoundTrip makes Network an [http.RoundTripper], without goroutines: http.Client{Transport: h.Network()} may be used in functions of
// promise.Promisify. Each request has a connection of its own. A body without a length is read before it is sent. The
// client must have no Timeout, which goes by the machine's clock: use promise.WithTimeout.
func (n Network) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		defer r.Body.Close()
	}
	if r.URL.Scheme != "http" {
		return nil, errors.New("loopsim: the simulated network has http only, not " + r.URL.Scheme)
	}
	req := r.Clone(r.Context())
	req.Close = true
	if r.Body != nil && r.ContentLength <= 0 { // package http would look at it in a goroutine
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		if len(body) == 0 {
			req.Body = nil
		}
	}
	address := r.URL.Host
	if r.URL.Port() == "" {
		address = net.JoinHostPort(r.URL.Hostname(), "80")
	}
	conn, err := n.DialContext(r.Context(), "tcp", address)
	if err != nil {
		return nil, err
	}
	body := &responseBody{conn: conn, ctx: r.Context(), forget: n.h.afterContext(r.Context(), func() { _ = conn.Close() })}
	err = req.Write(conn)
	if err == nil {
		var resp *http.Response
		if resp, err = http.ReadResponse(bufio.NewReader(conn), req); err == nil {
			body.ReadCloser, resp.Body = resp.Body, body
			return resp, nil
		}
	}
	return nil, errors.Join(body.failed(err), body.Close())
}

// A responseBody is the body of an answer, with its connection.
type responseBody struct {
	io.ReadCloser // nil before there is an answer
	conn          net.Conn
	ctx           context.Context
	forget        func() bool
}

func (b *responseBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	return n, b.failed(err)
}

// failed is the error of the context, if that has closed the connection.
func (b *responseBody) failed(err error) error {
	if err != nil && err != io.EOF && b.ctx.Err() != nil {
		return b.ctx.Err()
	}
	return err
}

// Close drops what is not read.
func (b *responseBody) Close() error {
	b.forget()
	return b.conn.Close()
}

// ServeHTTP has a handler answer requests to a port of the host. The handler runs as functions of promise.Promisify do, and nothing else of
// the host runs until it waits. Its answer leaves when it has returned.
func (h *Host) ServeHTTP(port int, handler http.Handler) error {
	l, err := h.net.Listen("tcp", ":"+strconv.Itoa(port))
	if err != nil {
		return err
	}
	l.(*listener).OnAccept(func(c net.Conn) {
		promise.Promisify(context.Background(), h.loop, func(ctx context.Context) (struct{}, error) {
			defer c.Close()
			in := bufio.NewReader(c)
			for {
				r, err := http.ReadRequest(in)
				if err != nil {
					return struct{}{}, nil // the client is gone, or does not speak HTTP
				}
				a := &httpAnswer{header: http.Header{}}
				r.RemoteAddr = c.RemoteAddr().String()
				handler.ServeHTTP(a, r.WithContext(ctx))
				if _, err := io.Copy(io.Discard, r.Body); err != nil {
					return struct{}{}, nil
				}
				if err := a.send(c, r); err != nil || r.Close {
					return struct{}{}, nil
				}
			}
		})
	})
	return nil
}

// An httpAnswer is what a handler answers.
type httpAnswer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *httpAnswer) Header() http.Header { return a.header }

func (a *httpAnswer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

func (a *httpAnswer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(p)
}

func (a *httpAnswer) send(to io.Writer, r *http.Request) error {
	a.WriteHeader(http.StatusOK)
	if a.header.Get("Content-Type") == "" && a.body.Len() > 0 {
		a.header.Set("Content-Type", http.DetectContentType(a.body.Bytes()))
	}
	resp := http.Response{StatusCode: a.status, ProtoMajor: 1, ProtoMinor: 1, Request: r, Header: a.header, Close: r.Close,
		ContentLength: int64(a.body.Len()), Body: io.NopCloser(&a.body)}
	return resp.Write(to)
}
