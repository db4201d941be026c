package result

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// WriteJSON writes the file as indented JSON.
func (f *File) WriteJSON(w io.Writer) error {
	f.Schema = Schema
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(f)
}

// ReadJSON reads what WriteJSON wrote.
func ReadJSON(r io.Reader) (*File, error) {
	var f File
	var other *json.UnmarshalTypeError
	switch err := json.NewDecoder(r).Decode(&f); {
	case errors.Is(err, io.EOF):
		return nil, errors.New("is empty: not a tournament result")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errors.New("ends in the middle; the file is truncated, copy it again or run the tournament again")
	case errors.As(err, &other):
		return nil, fmt.Errorf("not a tournament result: it has %s where one has something else", other.Value)
	case err != nil:
		return nil, fmt.Errorf("not a tournament result: %w", err)
	}
	switch f.Schema {
	case Schema:
	case "":
		return nil, errors.New(`not a tournament result: it has no "schema"`)
	case schemaOne:
		f.upgrade()
	default:
		return nil, fmt.Errorf("tournament result has schema %q, this program reads %q and %q", f.Schema, Schema, schemaOne)
	}
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("a damaged tournament result: %w", err)
	}
	return &f, nil
}

// Readable reports whether this program reads a schema.
func Readable(schema string) bool { return schema == Schema || schema == schemaOne }

// upgrade says what the first schema left unsaid: one process took all samples, one in each round. A check-only file
// has no process.
func (f *File) upgrade() {
	f.Schema = Schema
	if len(f.Rows) > 0 {
		f.Protocol.Processes = 1
	}
	for i := range f.Rows {
		for j := range f.Rows[i].Samples {
			f.Rows[i].Samples[j].Process, f.Rows[i].Samples[j].Round = 1, j+1
		}
	}
}
