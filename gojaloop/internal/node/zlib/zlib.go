// Package zlib is Node's module zlib, over Go's compressors.
package zlib

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
)

// Define defines the natives of zlib.js. A native that fails returns a string: Node's code and message.
func Define(e engine.Engine) {
	e.Define("deflateBytes", func(a engine.Args) any { // (format, bytes, level)
		b, _ := a.View(1)
		out, err := compress(a.Text(0), b, int(a.Integer(2)))
		if err != nil {
			return "Z_STREAM_ERROR " + err.Error()
		}
		return engine.Bytes(out)
	})
	e.Define("inflateBytes", func(a engine.Args) any { // (format, bytes, limit)
		b, _ := a.View(1)
		out, err := expand(a.Text(0), b, a.Integer(2))
		switch {
		case errors.Is(err, errTooLarge):
			return "ERR_BUFFER_TOO_LARGE " + fmt.Sprintf("Cannot create a Buffer larger than %d bytes", a.Integer(2))
		case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
			return "Z_BUF_ERROR unexpected end of file"
		case errors.Is(err, gzip.ErrHeader), errors.Is(err, zlib.ErrHeader):
			return "Z_DATA_ERROR incorrect header check"
		case errors.Is(err, gzip.ErrChecksum), errors.Is(err, zlib.ErrChecksum):
			return "Z_DATA_ERROR incorrect data check"
		case err != nil:
			return "Z_DATA_ERROR invalid stored block lengths"
		}
		return engine.Bytes(out)
	})
	e.Define("crc32", func(a engine.Args) any {
		b, _ := a.View(0)
		return int64(crc32.Update(uint32(a.Integer(1)), crc32.IEEETable, b))
	})
}

func compress(format string, b []byte, level int) ([]byte, error) {
	var out bytes.Buffer
	var w io.WriteCloser
	var err error
	switch format {
	case "gzip":
		w, err = gzip.NewWriterLevel(&out, level)
	case "deflate":
		w, err = zlib.NewWriterLevel(&out, level)
	default:
		w, err = flate.NewWriter(&out, level)
	}
	if err != nil {
		return nil, err
	}
	if _, err = w.Write(b); err != nil {
		return nil, err
	}
	err = w.Close() // which writes the rest
	return out.Bytes(), err
}

var errTooLarge = errors.New("too large")

func expand(format string, b []byte, limit int64) ([]byte, error) {
	in := bytes.NewReader(b)
	var r io.Reader
	var err error
	if format == "unzip" {
		if format = "deflate"; len(b) > 1 && b[0] == 0x1f && b[1] == 0x8b {
			format = "gzip"
		}
	}
	switch format {
	case "gzip":
		r, err = gzip.NewReader(in)
	case "deflate":
		r, err = zlib.NewReader(in)
	default:
		r = flate.NewReader(in)
	}
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(out)) > limit {
		err = errTooLarge
	}
	return out, err
}
