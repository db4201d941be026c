package eventloop

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/eventloop-go/eventloop/internal/sched"
)

// WithTraceCreation makes the loop remember where callbacks were submitted, and where timers and keep-alive tokens were
// made: [Event.Submitted], [SlowCallback] and [Loop.ActiveResources] tell. promise.TraceCreation does it for promises.
//
// Each submission then takes about a microsecond and an allocation more. Places are kept as long as the loop, once each:
// 80 bytes and its share of a map for each place in the program.
func WithTraceCreation() Option {
	return optionFunc(func(l *Loop) {
		l.creations = &creations{loop: l, numbers: make(map[site]uint32), places: make([]site, 1), tokens: make(map[*KeepAlive]token)}
	})
}

const siteDepth = 10

// A site is a place in the program: the innermost calls that led to it.
type site [siteDepth]uintptr

// here returns the place that has called into the module. The functions of this file are left out.
func here() (s site) {
	runtime.Callers(3, s[:])
	return s
}

const shown = 3 // calls of a site in its String

// String leaves out the calls within this module that lead, if there are any others.
func (s site) String() string {
	if s[0] == 0 {
		return ""
	}
	n := siteDepth
	for n > 0 && s[n-1] == 0 {
		n--
	}
	var outer, inner []string
	frames := runtime.CallersFrames(s[:n])
	for more := true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); f.Function == "" {
			continue
		}
		to := &outer
		if len(outer) == 0 && within(f.Function) {
			to = &inner
		}
		*to = append(*to, fmt.Sprintf("%s %s:%d", f.Function, f.File, f.Line))
	}
	if len(outer) == 0 {
		outer = inner
	}
	return strings.Join(outer[:min(shown, len(outer))], " < ")
}

const module = "github.com/eventloop-go/eventloop"

// within reports whether a function is of one of this module's packages that users call.
func within(function string) bool {
	rest, found := strings.CutPrefix(function, module)
	if !found {
		return false
	}
	for _, p := range []string{".", "/promise.", "/js.", "/adapter.", "/loopgroup.", "/gojaloop."} {
		if strings.HasPrefix(rest, p) {
			return true
		}
	}
	return false
}

// A token is what is known of a [KeepAlive].
type token struct {
	at   int64
	site site
}

// creations is what WithTraceCreation keeps. Timers have the number of their place in the store's spare room.
type creations struct {
	loop *Loop

	mu      sched.Mutex
	numbers map[site]uint32
	places  []site // by number; 0 means not known
	tokens  map[*KeepAlive]token
}

// wrap makes fn tell where it was submitted when it runs.
func (c *creations) wrap(fn func()) func() {
	at := here()
	return func() {
		if o := c.loop.observed; o != nil {
			o.traced(fn, at)
		}
		fn()
	}
}

// scheduleOwn is the store's for a timer whose place is to be known.
func (c *creations) scheduleOwn(when, delay int64, fn func()) Timer {
	h := c.loop.timers.ScheduleOwn(when, delay, c.wrap(fn))
	h.Timer.Site = c.number()
	return Timer{h}
}

// number returns the number of the caller's place.
func (c *creations) number() uint32 {
	at := here()
	c.mu.Lock()
	defer c.mu.Unlock()
	n, found := c.numbers[at]
	if !found {
		n = uint32(len(c.places))
		c.numbers[at], c.places = n, append(c.places, at)
	}
	return n
}

func (c *creations) place(number uint32) site {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.places[number]
}

func (c *creations) took(k *KeepAlive, now int64) {
	at := here()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tokens[k] = token{now, at}
}

func (c *creations) gave(k *KeepAlive) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.tokens, k)
}
