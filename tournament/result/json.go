package result

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// WriteJSON writes the file as indented JSON, with a line for each row: rows of slices have hundreds of samples.
func (f *File) WriteJSON(w io.Writer) error {
	f.Schema = Schema
	head := *f
	head.Rows = nil
	text, err := json.MarshalIndent(&head, "", " ")
	if err != nil {
		return err
	}
	before, after, _ := bytes.Cut(text, []byte(`"rows": null`))
	b := bufio.NewWriter(w) // keeps the first error for Flush
	b.Write(before)
	b.WriteString(`"rows": [`)
	for i := range f.Rows {
		row, err := json.Marshal(&f.Rows[i])
		if err != nil {
			return err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n  ")
		b.Write(row)
	}
	b.WriteString("\n ]")
	b.Write(after)
	b.WriteByte('\n')
	return b.Flush()
}

// ReadJSON reads the output of WriteJSON.
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

// upgrade adds the facts that the first schema implied: one process took all samples, one in each round. A check-only
// file has no process.
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
