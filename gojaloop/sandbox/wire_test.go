package sandbox

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/dop251/goja"
)

func TestMessagesCrossAsTheyAre(t *testing.T) {
	var pipe bytes.Buffer
	s := newStream(&pipe, &pipe, 1<<20)
	for _, m := range []*message{
		{Kind: ready, Text: "a\nb"},
		{Kind: run, ID: 1, NoValue: true, Name: "x.js", Text: strings.Repeat("é", 100_000)},
		{Kind: call, ID: 1 << 63, Name: "f", Value: json.RawMessage(`[1]`)},
		{Kind: result, ID: 2},
		{Kind: result, ID: 2, Value: json.RawMessage{}},
		{Kind: result, ID: 3, Error: &ScriptError{Name: "n", Message: "m", Stack: "s"}},
		{Kind: output, Text: "x", Stderr: true},
		{Kind: limit, Name: "memory"},
	} {
		if err := s.send(m); err != nil {
			t.Fatal(err)
		}
		got, err := s.receive()
		if err != nil || !reflect.DeepEqual(got, m) {
			t.Errorf("sent %+v, got %+v, %v", m, got, err)
		}
	}
}

func FuzzWhatAProcessSendsIsAMessageOrAnError(f *testing.F) {
	f.Add([]byte{})
	for _, m := range []*message{{Kind: ready}, {Kind: call, Name: "f", Value: json.RawMessage("[]")}, {Kind: result, Error: &ScriptError{}}} {
		b := m.append(nil)
		f.Add(b[4:])
		f.Add(b[4 : len(b)-1])
		f.Add(append(b[4:], 0))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := parse(b)
		if err != nil {
			return
		}
		again, err := parse(m.append(nil)[4:])
		if err != nil || !reflect.DeepEqual(m, again) {
			t.Errorf("%+v became %+v, %v", m, again, err)
		}
	})
}

// Values that cross without the engine's JSON equal those that cross with it.
func FuzzSimpleValuesAreThoseOfTheEnginesJSON(f *testing.F) {
	for _, text := range []string{`[]`, `[1,2]`, `[-0,0.1,1e300,1e400,123456789012345678]`, `["a","é","\u2028","",null]`, `[true,false,[1],{"a":1}]`, `["a\"b"]`, `[{"a":"]"}]`, `["<"]`, `["\ud800"]`, `[[]]`, `["]"]`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var list []json.RawMessage
		if json.Unmarshal([]byte(text), &list) != nil {
			return
		}
		compact, err := json.Marshal(list) // as Call makes it
		if err != nil || list == nil {
			return
		}
		vm := goja.New()
		got, simple := arguments(vm, compact)
		if !simple {
			return
		}
		_ = vm.Set("text", string(compact))
		want, err := vm.RunString(`JSON.parse(text)`)
		if err != nil {
			t.Fatalf("%q: %v", compact, err)
		}
		array := want.ToObject(vm)
		if array.Get("length").ToInteger() != int64(len(got)) {
			t.Fatalf("%s has %d values", compact, len(got))
		}
		for i, value := range got {
			if !array.Get(vm.ToValue(i).String()).SameAs(value) {
				t.Errorf("%s: value %d is %v", compact, i, value)
			}
			_ = vm.Set("value", value)
			want, err := vm.RunString(`JSON.stringify(value)`)
			if text, simple := simpleJSON(value); err != nil || simple && string(text) != want.String() {
				t.Errorf("%v is %s, want %v, %v", value, text, want, err)
			}
		}
	})
}
