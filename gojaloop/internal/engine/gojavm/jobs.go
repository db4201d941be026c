package gojavm

import (
	"reflect"

	"github.com/dop251/goja"
)

// jobQueue is where the engine keeps promise jobs. It has no method that tells whether some wait, so we look at the
// length of the field. An engine without such a field is never known to have none: every callback then leaves it.
var jobQueue = func() []int {
	field, ok := reflect.TypeFor[goja.Runtime]().FieldByName("jobQueue")
	if !ok || field.Type.Kind() != reflect.Slice {
		return nil
	}
	return field.Index
}()

// Jobs is the queue of promise jobs of a runtime.
type Jobs struct{ queue reflect.Value }

// JobsOf finds it.
func JobsOf(vm *goja.Runtime) Jobs {
	if jobQueue == nil {
		return Jobs{}
	}
	return Jobs{reflect.ValueOf(vm).Elem().FieldByIndex(jobQueue)}
}

// Waiting reports whether promise jobs wait, as far as one can tell.
func (j Jobs) Waiting() bool { return !j.queue.IsValid() || j.queue.Len() > 0 }
