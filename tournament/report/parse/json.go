package parse

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A document walks a JSON file value by value and knows the line it is on.
type document struct {
	name string
	data []byte
	dec  *json.Decoder

	// The line count up to offset at, so that counting goes over the file once.
	at, line int
}

func readJSON(name string, r io.Reader) (*Input, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxJSON+1))
	if err != nil {
		return nil, &Error{File: name, Msg: err.Error(), Err: err}
	}
	if len(data) > MaxJSON {
		return nil, &Error{File: name, Msg: fmt.Sprintf("is larger than %d MiB; split the run", MaxJSON>>20)}
	}
	d := &document{name: name, data: data, line: 1}
	if err := d.check(); err != nil {
		return nil, err
	}
	d.dec = json.NewDecoder(bytes.NewReader(data))
	keys := make(map[string]bool)
	if err := d.object(func(key string) error {
		keys[key] = true
		return d.decode(new(json.RawMessage))
	}); err != nil {
		return nil, err
	}
	d.dec = json.NewDecoder(bytes.NewReader(data))
	d.at, d.line = 0, 1
	switch {
	case keys["schema"]:
		return readTournament(d)
	case keys["benchmarks"]:
		return readPublished(d)
	}
	return nil, &Error{File: name, Line: 1, Msg: "is JSON, but neither a tournament result (no \"schema\") nor a published data file (no \"benchmarks\")"}
}

// check finds out whether the file is JSON at all, where the decoder's offsets are still absolute.
func (d *document) check() error {
	var raw json.RawMessage
	err := json.Unmarshal(d.data, &raw)
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input":
		return &Error{File: d.name, Line: d.lineAt(len(d.data)), Msg: "ends in the middle; the file is truncated, copy it again", Err: err}
	case errors.As(err, &syntax):
		return &Error{File: d.name, Line: d.lineAt(int(syntax.Offset)), Msg: "not JSON: " + syntax.Error(), Err: err}
	}
	return &Error{File: d.name, Msg: "not JSON: " + err.Error(), Err: err}
}

// lineAt returns the line of an offset no smaller than the one asked for before.
func (d *document) lineAt(offset int) int {
	offset = min(offset, len(d.data))
	if offset > d.at {
		d.line += bytes.Count(d.data[d.at:offset], []byte("\n"))
		d.at = offset
	}
	return d.line
}

// here returns the line of the next value.
func (d *document) here() int {
	off := int(d.dec.InputOffset())
	for off < len(d.data) && bytes.IndexByte([]byte(" \t\r\n,:"), d.data[off]) >= 0 {
		off++
	}
	return d.lineAt(off)
}

func (d *document) fail(line int, format string, args ...any) error {
	return &Error{File: d.name, Line: line, Msg: fmt.Sprintf(format, args...)}
}

// object calls f for every key of the object that comes next; f must consume the value.
func (d *document) object(f func(key string) error) error {
	line := d.here()
	if t, err := d.dec.Token(); err != nil || t != json.Delim('{') {
		return d.fail(line, "want a JSON object here")
	}
	for d.dec.More() {
		key, err := d.dec.Token()
		if err != nil {
			return d.fail(line, "%v", err)
		}
		if err := f(key.(string)); err != nil {
			return err
		}
	}
	_, err := d.dec.Token()
	return err
}

// array calls f for every element of the array that comes next; f must consume it. A null is an empty array.
func (d *document) array(what string, f func(line int) error) error {
	line := d.here()
	t, err := d.dec.Token()
	if err != nil {
		return d.fail(line, "%v", err)
	}
	if t == nil {
		return nil
	}
	if t != json.Delim('[') {
		return d.fail(line, "%q must be an array", what)
	}
	for d.dec.More() {
		if err := f(d.here()); err != nil {
			return err
		}
	}
	_, err = d.dec.Token()
	return err
}

// decode stores the next value in v.
func (d *document) decode(v any) error {
	line := d.here()
	err := d.dec.Decode(v)
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong) && wrong.Field != "":
		return d.fail(line, "in the entry that starts here: %q cannot be a %s", wrong.Field, wrong.Value)
	}
	return d.fail(line, "in the entry that starts here: %v", err)
}
