package parse

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// A document is a JSON object, of whose values it knows the line.
type document struct {
	name   string
	data   []byte
	values map[string]json.RawMessage
	at     int // where the search for the next element begins
	line   int // of at
}

func readJSON(name string, r io.Reader) (*Input, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxJSON+1))
	if err != nil {
		return nil, &Error{File: name, Msg: err.Error(), Err: err}
	}
	if len(data) > MaxJSON {
		return nil, &Error{File: name, Msg: fmt.Sprintf("is larger than %d MiB; split the run", MaxJSON>>20)}
	}
	d := &document{name: name, data: data}
	lineAt := func(offset int) int { return 1 + bytes.Count(data[:min(offset, len(data))], []byte("\n")) }
	var syntax *json.SyntaxError
	switch err := json.Unmarshal(data, &d.values); {
	case err == nil:
	case errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input":
		return nil, &Error{File: name, Line: lineAt(len(data)), Msg: "ends in the middle; the file is truncated, copy it again", Err: err}
	case errors.As(err, &syntax):
		return nil, &Error{File: name, Line: lineAt(int(syntax.Offset)), Msg: "not JSON: " + syntax.Error(), Err: err}
	default:
		return nil, &Error{File: name, Msg: "not JSON: " + err.Error(), Err: err}
	}
	var in *Input
	switch {
	case d.values["schema"] != nil:
		in, err = readTournament(d)
	case d.values["benchmarks"] != nil:
		in, err = readPublished(d)
	default:
		return nil, &Error{File: name, Line: 1, Msg: "is JSON, but neither a tournament result (no \"schema\") nor a published data file (no \"benchmarks\")"}
	}
	if err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(d.values)) { // what nobody has taken
		in.Add(Noise, d.find(key), "unknown key %s", quote(key))
	}
	in.Lines = lineAt(len(data))
	in.finish()
	return in, nil
}

// find returns the line of the value of a key.
func (d *document) find(key string) int {
	d.at, d.line = 0, 1
	return d.next(d.values[key])
}

// next returns the line of a value that stands where the search is, or behind.
func (d *document) next(value json.RawMessage) int {
	if i := bytes.Index(d.data[d.at:], value); i >= 0 {
		d.line += bytes.Count(d.data[d.at:d.at+i], []byte("\n"))
		d.at += i
	}
	return d.line
}

func (d *document) fail(line int, format string, args ...any) error {
	return &Error{File: d.name, Line: line, Msg: fmt.Sprintf(format, args...)}
}

// take stores the value of a key, if there is one, in v.
func (d *document) take(key string, v any) error {
	defer delete(d.values, key)
	if d.values[key] == nil {
		return nil
	}
	return d.decode(d.find(key), d.values[key], v)
}

// takeAll calls f with every element of the array of a key, decoded. A null is an empty array.
func takeAll[T any](d *document, key string, f func(v *T, line int) error) error {
	defer delete(d.values, key)
	if d.values[key] == nil {
		return nil
	}
	var elements []json.RawMessage
	line := d.find(key)
	if json.Unmarshal(d.values[key], &elements) != nil {
		return d.fail(line, "%q must be an array", key)
	}
	for _, e := range elements {
		line := d.next(e)
		d.at, d.line = d.at+len(e), d.line+bytes.Count(e, []byte("\n"))
		v := new(T)
		if err := d.decode(line, e, v); err != nil {
			return err
		}
		if err := f(v, line); err != nil {
			return err
		}
	}
	return nil
}

func (d *document) decode(line int, value json.RawMessage, v any) error {
	err := json.Unmarshal(value, v)
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong) && wrong.Field != "":
		return d.fail(line, "in the entry that starts here: %q cannot be a %s", wrong.Field, wrong.Value)
	}
	return d.fail(line, "in the entry that starts here: %v", err)
}
