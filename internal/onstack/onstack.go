// Package onstack checks whether the caller is inside a certain call, on the same goroutine.
//
// Goroutines have no names. To report a goroutine's number the runtime writes out its whole stack, which takes long
// below many calls. So a call is marked with a number of its own, which its frames spell: each digit is a function of
// its own. It costs the call nearly nothing, and the check a walk over the stack without its text.
package onstack

import (
	"bytes"
	"runtime"
	"strconv"
	"sync/atomic"
)

// A Mark is a number for calls. Make one with [New]. The zero Mark is on no stack.
type Mark uint64

var made atomic.Uint64

// New returns a unique mark. No later mark equals it, because a call that ends by Goexit leaves its mark on the stack
// for as long as deferred functions of its callers run.
func New() Mark { return Mark(made.Add(1)) }

// Call calls fn, with the mark on the stack.
func (m Mark) Call(fn func()) { digits[m%16](m/16, fn) }

// next and last are the return addresses in the frames of each digit: next before another digit, last at the end of a
// number.
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
	found, _ := Find(m, 0)
	return found
}

// Find reports whether the caller is inside a [Mark.Call] of one of the marks, by one walk over the stack. If it is not, generator
// reports whether the caller's goroutine is a generator: one of [iter.Pull].
func Find(a, b Mark) (found, generator bool) {
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
		} else if number == a || number == b {
			return true, false
		} else {
			number = 0
		}
	}
	if number != 0 && (number == a || number == b) {
		return true, false
	}
	return false, n >= 2 && runtime.FuncForPC(pcs[n-2]-1).Name() == "runtime.corostart" // below runtime.goexit
}

// In reports whether the stack of a goroutine, as [runtime.Stack] writes it, is inside a [Mark.Call] of the mark.
func (m Mark) In(stack []byte) bool {
	frame := []byte("/internal/onstack.digit")
	number, since := Mark(0), 0 // of digits in adjoining calls, and the lines since the last of these
	for line := range bytes.Lines(stack) {
		since++
		_, digit, ok := bytes.Cut(line, frame)
		if !ok {
			continue
		}
		if since > 2 { // each call has two lines
			if number == m && m != 0 {
				return true
			}
			number = 0
		}
		digit, _, _ = bytes.Cut(digit, []byte("("))
		d, err := strconv.Atoi(string(digit))
		if err != nil {
			return false
		}
		number, since = number*16+Mark(d), 0
	}
	return number == m && m != 0
}

func index(places *[16]uintptr, pc uintptr) int {
	for d, p := range places {
		if p == pc {
			return d
		}
	}
	return -1
}
