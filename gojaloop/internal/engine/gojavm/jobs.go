package gojavm

import (
	"reflect"

	"github.com/dop251/goja"
)

// jobQueue is the engine's field of promise jobs. The engine has no method that reports waiting jobs, so we read the
// length of the field. In an engine without such a field jobs may always wait: every callback then leaves the engine.
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

// waiting reports whether promise jobs may wait.
func (j jobs) waiting() bool { return !j.queue.IsValid() || j.queue.Len() > 0 }

// JobsWaiting reports whether promise jobs may wait.
func (vm *VM) JobsWaiting() bool { return vm.jobs.waiting() }
