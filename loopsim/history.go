package loopsim

import (
	"fmt"
	"math"
	"time"

	"github.com/anishathalye/porcupine"
)

// Unknown is the output of an operation whose outcome its client does not know: the request, or the answer, was lost. A model's Step gets
// it, and should accept it.
type Unknown struct{}

// A History is what clients have asked for and got. At the end of the world it must be linearizable. That means that the operations can be
// put in an order that explains their outputs, and each takes effect between its begin and its end.
type History struct {
	w   *World
	ops []porcupine.Operation
}

// An Operation is one that a client has begun.
type Operation struct {
	h     *History
	index int
}

// Linearizable makes a history that is checked with porcupine at the end of the world. The model says what operations do. Its Step is
// given [Unknown] as the output of operations that have not ended.
func (w *World) Linearizable(name string, model porcupine.Model) *History {
	h := &History{w: w}
	w.Finally("linearizable "+name, func() error { return h.check(model) })
	return h
}

// Begin notes that a client begins an operation. A client has one at a time; after one that has not ended it needs another number.
func (h *History) Begin(client int, input any) Operation {
	h.ops = append(h.ops, porcupine.Operation{ClientId: client, Input: input, Call: int64(h.w.Elapsed()), Output: Unknown{}, Return: math.MaxInt64})
	return Operation{h, len(h.ops) - 1}
}

// End notes the output.
func (o Operation) End(output any) {
	if op := &o.h.ops[o.index]; op.Return == math.MaxInt64 {
		op.Output, op.Return = output, int64(o.h.w.Elapsed())
	}
}

// Len is the number of operations, and of those that have ended.
func (h *History) Len() (begun, ended int) {
	for _, op := range h.ops {
		if op.Return != math.MaxInt64 {
			ended++
		}
	}
	return len(h.ops), ended
}

// checkFor limits the check of a history, which may take long for one with many operations at the same time.
const checkFor = time.Minute

func (h *History) check(model porcupine.Model) error {
	switch porcupine.CheckOperationsTimeout(model, h.ops, checkFor) {
	case porcupine.Ok:
		return nil
	case porcupine.Unknown:
		return fmt.Errorf("not decided within %v: use fewer operations, or a model with partitions", checkFor)
	}
	text := "no order of the operations explains the outputs:"
	for _, op := range h.ops {
		end := "never"
		if op.Return != math.MaxInt64 {
			end = time.Duration(op.Return).String()
		}
		text += fmt.Sprintf("\n  client %d, %v to %s: %s", op.ClientId, time.Duration(op.Call), end, describe(model, op))
	}
	return fmt.Errorf("%s", text)
}

func describe(model porcupine.Model, op porcupine.Operation) string {
	if _, unknown := op.Output.(Unknown); !unknown && model.DescribeOperation != nil {
		return model.DescribeOperation(op.Input, op.Output)
	}
	return fmt.Sprintf("%v: %v", op.Input, op.Output)
}
