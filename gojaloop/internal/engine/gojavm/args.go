package gojavm

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
)

// args are [engine.Args].
type args struct {
	vm   *VM
	call goja.FunctionCall
}

func (a *args) Value(i int) engine.Value { return a.call.Argument(i) }
func (a *args) Defined(i int) bool       { return !goja.IsUndefined(a.call.Argument(i)) }
func (a *args) Text(i int) string        { return a.call.Argument(i).String() }
func (a *args) Integer(i int) int64      { return a.call.Argument(i).ToInteger() }
func (a *args) Number(i int) float64     { return a.call.Argument(i).ToFloat() }
func (a *args) True(i int) bool          { return a.call.Argument(i).ToBoolean() }

func (a *args) Rest(i int) []any {
	var all []any
	for ; i < len(a.call.Arguments); i++ {
		all = append(all, a.call.Arguments[i])
	}
	return all
}

func (a *args) AppendPlain(line []byte) ([]byte, bool) {
	for i, arg := range a.call.Arguments {
		if i > 0 {
			line = append(line, ' ')
		}
		switch v := arg.(type) {
		case goja.String:
			s := v.String()
			if i == 0 && len(a.call.Arguments) > 1 && strings.Contains(s, "%") {
				return line, false
			}
			line = append(line, s...)
		default:
			if goja.IsNumber(arg) {
				if n, ok := arg.Export().(int64); ok && n != 0 { // 0 may be -0
					line = strconv.AppendInt(line, n, 10)
					continue
				}
			}
			text, ok := a.vm.inspector.text(a.vm, arg)
			if !ok {
				return line, false
			}
			line = append(line, text...)
		}
	}
	return line, true
}

func (a *args) Bytes(i int) (b []byte, ok bool) {
	buffer, ok := HostValue[goja.ArrayBuffer](a.call.Argument(i))
	if !ok {
		return nil, false
	}
	return buffer.Bytes(), true
}

func (a *args) View(i int) (b []byte, ok bool) {
	defer func() {
		if recover() != nil { // its buffer is detached
			b, ok = nil, false
		}
	}()
	return HostValue[[]byte](a.call.Argument(i))
}

func (a *args) UTF16(i int) []uint16 {
	s := a.call.Argument(i).ToString().(goja.String)
	units := make([]uint16, s.Length())
	for j := range units {
		units[j] = s.CharAt(j)
	}
	return units
}

func (a *args) Detached(i int) bool {
	buffer, ok := HostValue[goja.ArrayBuffer](a.call.Argument(i))
	return ok && buffer.Detached()
}

func (a *args) Detach(i int) bool {
	buffer, ok := HostValue[goja.ArrayBuffer](a.call.Argument(i))
	return ok && buffer.Detach()
}

func (a *args) Export(i int, to any) error { return a.vm.ExportTo(a.call.Argument(i), to) }

func (a *args) Holds(i int, t reflect.Type) any {
	obj, ok := a.call.Argument(i).(*goja.Object)
	if !ok || obj.ExportType() != t {
		return nil
	}
	return obj.Export()
}
