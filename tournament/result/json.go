package result

import (
	"encoding/json"
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
	if err := json.NewDecoder(r).Decode(&f); err != nil {
		return nil, fmt.Errorf("not a tournament result: %w", err)
	}
	if f.Schema != Schema {
		return nil, fmt.Errorf("tournament result has schema %q, this program reads %q", f.Schema, Schema)
	}
	return &f, nil
}
