package sandbox

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strconv"

	"github.com/dop251/goja"
)

// Simple values cross without the engine's JSON: numbers, booleans, null, and strings without escapes.

// arguments reads an array of simple values, as [json.Marshal] writes it. It reports false for everything else.
func arguments(vm *goja.Runtime, text json.RawMessage) (values []goja.Value, simple bool) {
	if len(text) < 2 || text[0] != '[' {
		return nil, false
	}
	for text = text[1:]; text[0] != ']'; {
		end := elementEnd(text)
		if end < 0 {
			return nil, false
		}
		value, simple := simpleValue(vm, text[:end])
		if !simple {
			return nil, false
		}
		values = append(values, value)
		if text = text[end:]; text[0] == ',' {
			text = text[1:]
		}
	}
	return values, true
}

// elementEnd is where a simple element of an array ends. It is negative for one that is not simple.
func elementEnd(text []byte) int {
	if text[0] == '"' {
		if end := bytes.IndexByte(text[1:], '"'); end >= 0 && end+2 < len(text) {
			return end + 2
		}
		return -1
	}
	return bytes.IndexAny(text, ",]")
}

// simpleValue makes a value of JSON. It reports false for other values.
func simpleValue(vm *goja.Runtime, text []byte) (value goja.Value, simple bool) {
	switch c := text[0]; {
	case c == '"':
		if bytes.IndexByte(text, '\\') >= 0 {
			return nil, false
		}
		return vm.ToValue(string(text[1 : len(text)-1])), true
	case c == 'n':
		return goja.Null(), true
	case c == 't' || c == 'f':
		return vm.ToValue(c == 't'), true
	case c == '-' || '0' <= c && c <= '9':
		f, err := strconv.ParseFloat(string(text), 64)
		if err != nil {
			return nil, false
		}
		return vm.ToValue(f), true
	}
	return nil, false
}

// simpleJSON is the JSON of a value, nil for undefined. It reports false for other values.
func simpleJSON(value goja.Value) (text json.RawMessage, simple bool) {
	switch value := value.(type) {
	case *goja.Object, *goja.Symbol:
		return nil, false
	case goja.String:
		return quoted(value.String())
	}
	switch {
	case goja.IsUndefined(value):
		return nil, true
	case goja.IsNull(value):
		return json.RawMessage("null"), true
	}
	switch value.ExportType().Kind() {
	case reflect.Bool, reflect.Int64:
		return json.RawMessage(value.String()), true
	case reflect.Float64:
		if f := value.ToFloat(); math.IsNaN(f) || math.IsInf(f, 0) {
			return json.RawMessage("null"), true
		}
		return json.RawMessage(value.String()), true
	}
	return nil, false // a BigInt
}

// quoted is the JSON of a string in which nothing has to be escaped.
func quoted(s string) (text json.RawMessage, simple bool) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7F || c == '"' || c == '\\' {
			return nil, false
		}
	}
	text = append(make(json.RawMessage, 0, len(s)+2), '"')
	return append(append(text, s...), '"'), true
}
