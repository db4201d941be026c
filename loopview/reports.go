package loopview

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/promise"
)

const (
	maxReports = 100
	maxText    = 500      // bytes of a name or a place
	maxError   = 4 << 10  // of an error
	maxStack   = 16 << 10 // of a stack
	slowAfter  = 10 * time.Millisecond
)

// A slow is a callback that took long, or has not returned.
type slow struct {
	At        int64         `json:"t"` // milliseconds since 1970
	Loop      string        `json:"loop"`
	Phase     string        `json:"phase"`
	Function  string        `json:"function"`
	Submitted string        `json:"submitted"`
	Took      time.Duration `json:"took"`
	Jobs      uint64        `json:"jobs"`
	Running   bool          `json:"running"`
	Stack     string        `json:"stack"`

	tick   uint64
	hooked bool // SlowCallback has it
}

// A rejected is a promise with an unhandled rejection.
type rejected struct {
	At    int64  `json:"t"`
	Loop  string `json:"loop"`
	Error string `json:"error"`
	Stack string `json:"stack"`

	tick uint64
}

// reports are the last of each kind. They are kept without viewers, too.
type reports struct {
	mu         sync.Mutex
	tick       uint64
	slow       []slow
	rejections []rejected
}

// SlowCallback is for [inspect.WithSlowCallbacks] and [inspect.WithWatchdog], in place of nil: the callback is on the page,
// and logged as it is by default. Without it the page shows callbacks of 10 ms and more that it happens to observe.
func (v *View) SlowCallback(s inspect.SlowCallback) {
	v.reports.add(s, true)
	s.Log()
}

// Rejection is for [promise.WithUnhandledRejection], in place of nil: the rejection is on the page, and logged as it is by
// default. Without it the page shows no rejections.
func (v *View) Rejection(r *promise.Rejection) {
	one := rejected{
		At: time.Now().UnixMilli(), Loop: shorten(r.Loop().Name(), maxText),
		Error: shorten(text(r.Err), maxError), Stack: shorten(r.Stack(), maxStack),
	}
	v.reports.mu.Lock()
	one.tick = v.reports.tick
	v.reports.rejections = keep(v.reports.rejections, one)
	v.reports.mu.Unlock()
	r.Log()
}

// add takes a callback that the hook or an observer reports. When both do, the hook comes first.
func (r *reports) add(s inspect.SlowCallback, hooked bool) {
	one := slow{
		At: time.Now().UnixMilli(), Loop: shorten(s.Loop, maxText), Phase: s.Phase.String(), Function: shorten(s.Function, maxText),
		Submitted: shorten(s.Submitted, maxText), Took: s.Took, Jobs: s.Jobs, Running: s.Running, Stack: shorten(string(s.Stack[:min(len(s.Stack), maxStack+1)]), maxStack),
		hooked: hooked,
	}
	if s.Checkpoint {
		one.Function = "microtasks that follow no callback"
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	one.tick = r.tick
	same := func(o slow) bool {
		return o.hooked && !o.Running && o.Took == one.Took && o.Loop == one.Loop && o.Function == one.Function
	}
	if hooked || !slices.ContainsFunc(r.slow, same) {
		r.slow = keep(r.slow, one)
	}
}

func (r *reports) nextTick(tick uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tick = tick
}

// between returns the reports of the ticks from since to before end.
func (r *reports) between(since, end uint64) (callbacks []slow, rejections []rejected) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.slow {
		if s.tick >= since && s.tick < end {
			callbacks = append(callbacks, s)
		}
	}
	for _, one := range r.rejections {
		if one.tick >= since && one.tick < end {
			rejections = append(rejections, one)
		}
	}
	return callbacks, rejections
}

func keep[T any](all []T, one T) []T {
	if len(all) == maxReports {
		all = slices.Delete(all, 0, 1)
	}
	return append(all, one)
}

// shorten cuts s to about n bytes, into a copy, so that nothing longer is kept.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + " …"
}

// text returns the text of an error, even if its Error panics.
func text(err error) (s string) {
	defer func() {
		if recover() != nil {
			s = fmt.Sprintf("a %T, whose Error panics", err)
		}
	}()
	return err.Error()
}
