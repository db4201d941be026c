package promise_test

import (
	"testing"

	"github.com/eventloop-go/eventloop/promise"
)

func TestGoTellsTheEndAndTheError(t *testing.T) {
	loop := beside(t)
	ran := false
	if _, err := promise.Go(bg, loop, func(*promise.Coroutine) error { ran = true; return nil }).Wait(bg); err != nil || !ran {
		t.Errorf("%v, ran: %t", err, ran)
	}
	if _, err := promise.Go(bg, loop, func(*promise.Coroutine) error { return errOops }).Wait(bg); err != errOops {
		t.Error(err)
	}
}
