package stacktrace

import (
	"bytes"
	"strconv"

	"github.com/eventloop-go/eventloop/internal/onstack"
)

// Pulls reports whether the goroutine that is in a call with the mark waits for a generator, a goroutine of [iter.Pull], to yield.
// It stops the program.
//
// A stack does not show which goroutine has switched to a generator. It shows which goroutine has made it: nearly always
// the one that pulls. And if no other goroutine waits for a generator, it is the one with the mark.
func Pulls(mark onstack.Mark, generator uint64) bool {
	all := map[uint64]goroutine{}
	owner, pulling := uint64(0), 0
	for _, text := range bytes.Split(dump(), []byte("\n\n")) {
		n, g := parseGoroutine(text)
		all[n] = g
		if g.pulls && g.maker == 0 {
			pulling++
		}
		if g.pulls && mark.In(text) {
			owner = n
		}
	}
	if owner == 0 {
		return false
	}
	if pulling == 1 && all[owner].maker == 0 {
		return true
	}
	for range all { // an end, for any text
		if generator = all[generator].maker; generator == owner {
			return true
		}
		if g := all[generator]; !g.pulls {
			return false
		}
	}
	return false
}

// A goroutine is what its stack tells.
type goroutine struct {
	pulls bool   // it has switched to a generator
	maker uint64 // who has made it, if it is a generator itself; or 0
}

var (
	switched = []byte("[coroutine")
	yields   = []byte(".func1.1(") // a generator that has yielded is in this function of iter.Pull
	made     = []byte("\ncreated by iter.Pull")
	by       = []byte(" in goroutine ")
)

func parseGoroutine(text []byte) (n uint64, g goroutine) {
	lines := bytes.SplitN(text, []byte("\n"), 6)
	n = number(bytes.TrimPrefix(lines[0], []byte("goroutine ")))
	if bytes.Contains(lines[0], switched) {
		g.pulls = true
		for _, line := range lines[1:min(len(lines), 5)] { // the innermost calls
			if bytes.HasPrefix(line, []byte("iter.Pull")) && bytes.Contains(line, yields) {
				g.pulls = false
			}
		}
	}
	if _, rest, ok := bytes.Cut(text, made); ok {
		_, maker, _ := bytes.Cut(rest, by)
		g.maker = number(maker)
	}
	return n, g
}

// number reads the digits at the start.
func number(text []byte) uint64 {
	end := 0
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	n, _ := strconv.ParseUint(string(text[:end]), 10, 64)
	return n
}
