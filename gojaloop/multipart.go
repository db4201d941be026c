package gojaloop

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"

	"github.com/dop251/goja"
)

// multipart reads a body of type multipart/form-data (RFC 7578) into an array of its parts: name, file (undefined for
// what is no file), type and bytes. It is undefined if the body is not well-formed.
func (rt *Runtime) multipart(contentType string, body []byte) goja.Value {
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil || params["boundary"] == "" {
		return goja.Undefined()
	}
	reader := multipart.NewReader(bytes.NewReader(body), params["boundary"])
	var parts []any
	for {
		part, err := reader.NextRawPart()
		if errors.Is(err, io.EOF) {
			return rt.vm.NewArray(parts...)
		}
		if err != nil || part.FormName() == "" {
			return goja.Undefined()
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return goja.Undefined()
		}
		entry := rt.vm.NewObject()
		_ = entry.Set("name", part.FormName())
		if _, disposition, err := mime.ParseMediaType(part.Header.Get("Content-Disposition")); err == nil {
			if file, ok := disposition["filename"]; ok {
				_ = entry.Set("file", file)
			}
		}
		kind := part.Header.Get("Content-Type")
		if kind == "" {
			kind = "text/plain"
		}
		_ = entry.Set("type", kind)
		_ = entry.Set("bytes", rt.vm.NewArrayBuffer(data))
		parts = append(parts, entry)
	}
}
