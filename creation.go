package eventloop

import (
	"runtime"

	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// TraceCreation is inspect.WithTraceCreation.
func (v view) TraceCreation() {
	v.creations = &creations{loop: v.Loop, numbers: make(map[inside.Site]uint32), places: make([]inside.Site, 1), tokens: make(map[*keepAlive]token)}
}

// here returns the place that has called into the module. The functions of this file are left out.
func here() (s inside.Site) {
	runtime.Callers(3, s[:])
	return s
}

// A token describes a keepAlive.
type token struct {
	at   int64
	site inside.Site
}

// creations has the data of WithTraceCreation. Timers have the number of their place in the store's spare room.
type creations struct {
	loop *Loop

	mu      sched.Mutex
	numbers map[inside.Site]uint32
	places  []inside.Site // by number; 0 means not known
	tokens  map[*keepAlive]token
}

// wrap makes fn report the place of its submission when it runs.
func (c *creations) wrap(fn func()) func() {
	at := here()
	return func() {
		if o := c.loop.observed; o != nil {
			o.traced(fn, at)
		}
		fn()
	}
}

// scheduleOwn is the store's function for a timer with a recorded place.
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

func (c *creations) place(number uint32) inside.Site {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.places[number]
}

func (c *creations) took(k *keepAlive, now int64) {
	at := here()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tokens[k] = token{now, at}
}

func (c *creations) gave(k *keepAlive) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.tokens, k)
}
