package design

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/eventloop-go/eventloop"
)

// Make returns a new engine, as New does. Where New is nil, returns nil or panics, the error says so.
func (d *Design) Make(loop *eventloop.Loop) (e Engine, err error) {
	if d.New == nil {
		return nil, errors.New("there is no New; set it to a function that makes an engine")
	}
	defer func() {
		if v := recover(); v != nil {
			e, err = nil, fmt.Errorf("a panic in New: %v", v)
		}
	}()
	e = d.New(loop)
	if v := reflect.ValueOf(e); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, errors.New("nil from New; return an engine")
	}
	return e, nil
}
