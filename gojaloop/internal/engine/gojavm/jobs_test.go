package gojavm

import "testing"

// Without it all works, at half the speed: see jobQueue.
func TestTheEnginesQueueOfPromiseJobsCanBeSeen(t *testing.T) {
	if jobQueue == nil {
		t.Error("this version of goja keeps promise jobs elsewhere")
	}
}
