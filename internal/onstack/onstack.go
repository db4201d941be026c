// Package onstack tells whether the caller is inside a certain call, on the same goroutine.
//
// Goroutines have no names, and to read a goroutine's number the runtime writes out all its stack, which takes long below many
// calls. So a call is marked with a number of its own, which its frames spell: each digit is a function of its own. It costs
// the call nearly nothing, and who asks a walk over the stack without its text.
package onstack

import (
	"runtime"
	"sync/atomic"
)

// A Mark is a number for calls. Make one with [New]. The zero Mark is on no stack.
type Mark uint64

var made atomic.Uint64

// New returns a mark that nobody else has, nor will have: a call that ends by Goexit leaves its mark on the stack for as long as
// deferred functions of its callers run.
func New() Mark { return Mark(made.Add(1)) }

// Call calls fn, with the mark on the stack.
func (m Mark) Call(fn func()) { digits[m%16](m/16, fn) }

// Where the frames of each digit are when they have called: stack traces show it.
var next, last [16]uintptr

func init() {
	var pcs [3]uintptr // the function below and two digits
	read := func() { runtime.Callers(1, pcs[:]) }
	for d := range Mark(16) {
		(16 + d).Call(read)
		next[d] = pcs[2]
		if d > 0 { // 0 is never the last
			d.Call(read)
			last[d] = pcs[1]
		}
	}
}

// Here reports whether the caller is inside a [Mark.Call] of the mark. It walks the whole stack.
func (m Mark) Here() bool {
	var room [128]uintptr
	pcs := room[:]
	n := runtime.Callers(2, pcs)
	for n == len(pcs) {
		pcs = make([]uintptr, 4*len(pcs))
		n = runtime.Callers(2, pcs)
	}
	// From the innermost frame on: a number begins with its highest digit.
	number := Mark(0)
	for _, pc := range pcs[:n] {
		if d := index(&last, pc); d >= 0 {
			number = Mark(d)
		} else if number == 0 {
			continue
		} else if d := index(&next, pc); d >= 0 {
			number = number*16 + Mark(d)
		} else if number == m {
			return true
		} else {
			number = 0
		}
	}
	return number != 0 && number == m
}

func index(places *[16]uintptr, pc uintptr) int {
	for d, p := range places {
		if p == pc {
			return d
		}
	}
	return -1
}
