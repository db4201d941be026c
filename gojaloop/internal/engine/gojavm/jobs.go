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

// jobs is the queue of promise jobs of a runtime.
type jobs struct{ queue reflect.Value }

// jobsOf finds it.
func jobsOf(vm *goja.Runtime) jobs {
	if jobQueue == nil {
		return jobs{}
	}
	return jobs{reflect.ValueOf(vm).Elem().FieldByIndex(jobQueue)}
}

// waiting reports whether promise jobs wait, as far as one can tell.
func (j jobs) waiting() bool { return !j.queue.IsValid() || j.queue.Len() > 0 }

// JobsWaiting reports whether promise jobs wait, as far as one can tell.
func (vm *VM) JobsWaiting() bool { return vm.jobs.waiting() }
