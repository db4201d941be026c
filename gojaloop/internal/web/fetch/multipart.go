package fetch

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"strings"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
)

// readParts reads a body of type multipart/form-data (RFC 7578) into an array of its parts. A part has name, file,
// type and bytes; file is undefined for a part that is not a file. The result is undefined if the body is not
// well-formed.
func readParts(boundary string, body []byte) any {
	if boundary == "" {
		return nil
	}
	reader := multipart.NewReader(bytes.NewReader(body), boundary)
	var parts engine.Array
	for {
		part, err := reader.NextRawPart()
		if errors.Is(err, io.EOF) && bytes.Contains(body, []byte("--"+boundary+"--")) {
			return parts
		}
		if err != nil {
			return nil
		}
		params, ok := formDataParams(part.Header.Get("Content-Disposition"))
		if _, named := params["name"]; !ok || !named {
			return nil
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return nil
		}
		entry := engine.Object{"name", params["name"]}
		if file, ok := params["filename"]; ok {
			entry = append(entry, "file", file)
		}
		kind := part.Header.Get("Content-Type")
		if kind == "" {
			kind = "text/plain"
		}
		parts = append(parts, append(entry, engine.Object{"type", kind, "bytes", engine.Bytes(data)}...))
	}
}

// formDataEscapes are the escapes of a form's encoder for characters that would end a name (HTML 4.10.21.8). A
// backslash is not an escape there, so package mime does not read these parameters.
var formDataEscapes = strings.NewReplacer("%0A", "\n", "%0D", "\r", "%22", `"`)

// formDataParams gives the parameters of a Content-Disposition header of type form-data.
func formDataParams(header string) (map[string]string, bool) {
	kind, rest, _ := strings.Cut(header, ";")
	if !strings.EqualFold(strings.TrimSpace(kind), "form-data") {
		return nil, false
	}
	params := make(map[string]string)
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimLeft(rest, "; \t") {
		name, value, ok := strings.Cut(rest, "=")
		if !ok {
			return nil, false
		}
		if strings.HasPrefix(value, `"`) {
			value, rest, ok = strings.Cut(value[1:], `"`)
			if !ok {
				return nil, false
			}
		} else {
			value, rest, _ = strings.Cut(value, ";")
		}
		params[strings.ToLower(strings.TrimSpace(name))] = strings.ToValidUTF8(formDataEscapes.Replace(value), "\uFFFD")
	}
	return params, true
}
