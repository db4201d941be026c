package serve

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"slices"
	"strconv"
	"strings"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
	"github.com/eventloop-go/eventloop/gojaloop/internal/web/encoding"
	"github.com/eventloop-go/eventloop/gojaloop/internal/web/url"
	"golang.org/x/net/http/httpguts"
)

// Define defines the natives of these scripts. Each has a visit as its first argument. exception makes a Go
// error of an exception.
func Define(e engine.Engine, exception func(thrown engine.Value) error) {
	on := func(name string, fn func(v *Visit, a engine.Args) any) {
		e.Define(name, func(a engine.Args) any {
			v, _ := engine.HeldBy[*Visit](a, 0)
			return fn(v, a)
		})
	}
	on("visitHead", func(v *Visit, a engine.Args) any { // (status, headers)
		v.do(act{head: v.head(e, a)})
		return nil
	})
	on("visitAnswer", func(v *Visit, a engine.Args) any { // (status, headers, bytes): all of an answer
		b, _ := a.View(3)
		h := v.head(e, a)
		if bodyAllowed(h.status) {
			h.header["Content-Length"] = []string{strconv.Itoa(len(b))}
		}
		v.do(act{head: h, data: b, last: true})
		return nil
	})
	on("visitWrite", func(v *Visit, a engine.Args) any { // (bytes): a promise
		b, _ := a.View(1)
		op := e.Begin()
		v.do(act{data: bytes.Clone(b), done: func(err error) {
			op.Finish(func() (any, error) { return nil, err })
		}})
		return op.Promise()
	})
	on("visitEnd", func(v *Visit, _ engine.Args) any {
		v.do(act{last: true})
		return nil
	})
	on("visitFail", func(v *Visit, a engine.Args) any { // (exception)
		v.Fail(exception(a.Value(1)))
		return nil
	})
	on("visitAbort", func(v *Visit, a engine.Args) any { // (function)
		v.Abort = a.Value(1)
		return nil
	})
	on("visitRead", func(v *Visit, _ engine.Args) any { return v.read(e) })
	on("visitURL", func(v *Visit, _ engine.Args) any { return v.url() })
	on("visitHeaders", func(v *Visit, _ engine.Args) any { return v.headers() })
	on("visitFacts", func(v *Visit, _ engine.Args) any {
		host, port, _ := net.SplitHostPort(v.r.RemoteAddr)
		n, _ := strconv.Atoi(port)
		return engine.Object{"host", host, "port", n, "secure", v.r.TLS != nil, "major", v.r.ProtoMajor, "minor", v.r.ProtoMinor, "close", v.r.Close, "target", v.target()}
	})
}

// Method returns the request's method.
func (v *Visit) Method() string { return v.r.Method }

// Bodied reports whether the request has a body.
func (v *Visit) Bodied() bool { return v.r.ContentLength != 0 }

// target is the target of the request as it was sent.
func (v *Visit) target() string {
	if v.r.RequestURI != "" {
		return v.r.RequestURI
	}
	return v.r.URL.RequestURI()
}

// url is the address of the request as the URL Standard writes it, of localhost if the client names no host.
func (v *Visit) url() string {
	scheme, target := "http", v.target()
	if v.r.TLS != nil {
		scheme = "https"
	}
	if !strings.HasPrefix(target, "/") {
		target = v.r.URL.RequestURI() // an absolute one, or the asterisk of OPTIONS
	}
	if !strings.HasPrefix(target, "/") {
		target = "/" + target
	}
	u, err := url.Parse(scheme+"://"+v.r.Host+target, nil)
	if err != nil { // HTTP/1.0 needs no host
		u, err = url.Parse(scheme+"://localhost"+target, nil)
	}
	if err != nil {
		return scheme + "://localhost/"
	}
	return u.Href(false)
}

// headers are the headers as a flat list of names and values, sorted by names: package http does not keep their order.
func (v *Visit) headers() any {
	names := make([]string, 0, len(v.r.Header))
	for name := range v.r.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	list := make(engine.Array, 0, 2*len(names)+4)
	list = append(list, "Host", encoding.FromLatin1(v.r.Host))
	for _, name := range names {
		for _, value := range v.r.Header[name] {
			list = append(list, name, encoding.FromLatin1(value))
		}
	}
	if len(v.r.TransferEncoding) > 0 {
		list = append(list, "Transfer-Encoding", strings.Join(v.r.TransferEncoding, ", "))
	}
	return list
}

// framing are the headers that tell where a message ends, and how the connection goes on. They are the server's.
var framing = []string{"Transfer-Encoding", "Trailer", "Upgrade", "Te"}

// head makes the head of an answer of a status and a flat list of headers. It throws if they are not allowed.
func (v *Visit) head(e engine.Engine, a engine.Args) *head {
	status := int(a.Integer(1))
	if status < 200 || status > 999 {
		e.Throw("RangeError", fmt.Sprintf("Invalid status code: %d", status))
	}
	var list []string
	if err := a.Export(2, &list); err != nil {
		e.Raise(e.Failure(err))
	}
	header := make(http.Header, len(list)/2)
	for i := 0; i+1 < len(list); i += 2 {
		name, value := textproto.CanonicalMIMEHeaderKey(list[i]), encoding.ToLatin1(list[i+1])
		switch {
		case !httpguts.ValidHeaderFieldName(name) || strings.ContainsAny(value, "\x00\r\n"):
			e.Throw("TypeError", fmt.Sprintf("invalid header %q", list[i]))
		case slices.Contains(framing, name), name == "Content-Length" && !validLength(value):
		default:
			header[name] = append(header[name], value)
		}
	}
	if !bodyAllowed(status) && status != http.StatusNotModified || len(header["Content-Length"]) > 1 {
		delete(header, "Content-Length")
	}
	return &head{status, header}
}

func validLength(s string) bool {
	_, err := strconv.ParseUint(s, 10, 63)
	return err == nil
}

func bodyAllowed(status int) bool {
	return status != http.StatusNoContent && status != http.StatusNotModified
}

// piece is how much of a body is read at a time.
const piece = 64 << 10

// read returns a promise for an ArrayBuffer, null at the end, or an Error.
func (v *Visit) read(e engine.Engine) engine.Value {
	op := e.Begin()
	go func() {
		b, err := v.readPiece()
		op.Finish(func() (any, error) {
			switch {
			case len(b) > 0:
				return engine.Bytes(b), nil
			case errors.Is(err, io.EOF):
				return engine.Null{}, nil
			}
			return e.Failure(err), nil
		})
	}()
	return op.Promise()
}

func (v *Visit) readPiece() ([]byte, error) {
	if !v.reading.TryLock() {
		return nil, errOver // Serve has returned; scripts of the library do not read twice at a time
	}
	defer v.reading.Unlock()
	room := int64(piece)
	if n := v.r.ContentLength; n > 0 && n < room {
		room = n
	}
	if v.limit >= 0 {
		room = min(room, v.limit+1)
	}
	b := make([]byte, room)
	n, err := v.r.Body.Read(b)
	for n == 0 && err == nil {
		n, err = v.r.Body.Read(b)
	}
	if err == io.EOF {
		v.ended.Store(true)
	}
	if v.limit >= 0 {
		if int64(n) > v.limit {
			v.tooLarge.Store(true)
			return nil, ErrTooLarge
		}
		v.limit -= int64(n)
	}
	return b[:n], err
}

// TooLarge reports whether the body has exceeded the limit.
func (v *Visit) TooLarge() bool { return v.tooLarge.Load() }
