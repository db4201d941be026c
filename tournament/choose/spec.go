package choose

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/eventloop-go/eventloop/tournament/result"
)

// BurstSize is the number of tasks that arrive together in a category of bursts.
const BurstSize = 64

// The first part of the names of categories.
const (
	rateCategory  = "Load"
	limitCategory = "LoadLimit"
)

// A Mix is a task's additional operations.
type Mix string

// The mixes.
const (
	Tasks      Mix = ""           // nothing
	Timers     Mix = "timers"     // arms a timeout of a second and cancels it; one task in 16 arms a timer that fires
	Microtasks Mix = "microtasks" // queues a microtask that queues another; the task ends with that
	Promises   Mix = "promises"   // settles a promise with two handlers in a chain; the task ends with the second
)

// A Spec distinguishes an open-loop category from others. Its name has all of it.
type Spec struct {
	// Cost is the work of a task, in time on a processor that does nothing else.
	Cost time.Duration

	// Rate is the number of tasks that arrive in a second, the same for all contestants. If it is 0, Share is the
	// rate in percent of the contestant's capacity.
	Rate, Share int

	// Limit says that the category instead searches the highest rates at which latency stays within limits.
	Limit bool

	// Bursts says that tasks arrive 64 at a time. Otherwise they arrive one by one. Either way at random moments.
	Bursts bool

	// Producers is the number of goroutines that submit, or 0 for one.
	Producers int

	// Procs is GOMAXPROCS, or 0 for the process's own.
	Procs int

	// Computing is how many goroutines compute beside the loop. The generator sleeps then until the next arrival: one that
	// looked at the clock would compute too.
	Computing result.Crowding

	Mix Mix
}

// Name is the category's name, such as "Load/cost=10us/rate=50k/producers=8".
func (s Spec) Name() string {
	category := rateCategory
	if s.Limit {
		category = limitCategory
	}
	parts := []string{category, fmt.Sprintf("cost=%dus", s.Cost.Microseconds())}
	switch {
	case s.Limit:
	case s.Rate > 0:
		parts = append(parts, "rate="+FormatRate(float64(s.Rate)))
	default:
		parts = append(parts, fmt.Sprintf("share=%d", s.Share))
	}
	if s.Bursts {
		parts = append(parts, "arrivals=bursts")
	}
	if s.Submitters() > 1 {
		parts = append(parts, fmt.Sprintf("producers=%d", s.Producers))
	}
	if s.Procs > 0 {
		parts = append(parts, fmt.Sprintf("procs=%d", s.Procs))
	}
	if s.Mix != Tasks {
		parts = append(parts, "mix="+string(s.Mix))
	}
	if s.Computing != result.Idle {
		parts = append(parts, "computing="+s.Computing.String())
	}
	return strings.Join(parts, "/")
}

// Submitters is the number of goroutines that submit.
func (s Spec) Submitters() int { return cmp.Or(s.Producers, 1) }

var crowdings = map[string]result.Crowding{result.Crowded.String(): result.Crowded, result.Overloaded.String(): result.Overloaded}

// Parse returns the spec with that name, and whether there is one.
func Parse(name string) (s Spec, ok bool) {
	parts := strings.Split(name, "/")
	for _, part := range parts[1:] {
		key, value, _ := strings.Cut(part, "=")
		var err error
		switch key {
		case "cost":
			s.Cost, err = time.ParseDuration(value)
		case "rate":
			var rate float64
			rate, err = ParseRate(value)
			s.Rate = int(rate)
		case "share":
			s.Share, err = strconv.Atoi(value)
		case "arrivals":
			s.Bursts = value == "bursts"
		case "producers":
			s.Producers, err = strconv.Atoi(value)
		case "procs":
			s.Procs, err = strconv.Atoi(value)
		case "mix":
			s.Mix = Mix(value)
		case "computing":
			s.Computing = crowdings[value]
		}
		if err != nil {
			return Spec{}, false
		}
	}
	s.Limit = parts[0] == limitCategory
	return s, s.Name() == name
}

// FormatRate writes a number of tasks in a second with three digits or fewer: "50k", "1.2M".
func FormatRate(rate float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e6, "M"}, {1e3, "k"}} {
		if rate >= unit.size*0.9995 {
			return strconv.FormatFloat(rate/unit.size, 'g', 3, 64) + unit.name
		}
	}
	return strconv.FormatFloat(rate, 'f', 0, 64)
}

// ParseRate reads a number of tasks in a second, such as "50k", "1.2M" or "800".
func ParseRate(text string) (float64, error) {
	digits, size := text, 1.0
	switch {
	case strings.HasSuffix(text, "k"):
		digits, size = strings.TrimSuffix(text, "k"), 1e3
	case strings.HasSuffix(text, "M"):
		digits, size = strings.TrimSuffix(text, "M"), 1e6
	}
	rate, err := strconv.ParseFloat(digits, 64)
	if err != nil || !(rate > 0) || rate*size > 1e9 {
		return 0, fmt.Errorf("%q is not a number of tasks in a second, such as 800, 50k or 1.2M", text)
	}
	return rate * size, nil
}

// About describes the category in one line.
func (s Spec) About() string {
	var b strings.Builder
	arrive := "one by one at random moments (Poisson)"
	if s.Bursts {
		arrive = fmt.Sprintf("%d at a time at random moments", BurstSize)
	}
	work := "no work"
	if s.Cost > 0 {
		work = s.Cost.String() + " of work"
	}
	switch {
	case s.Limit:
		fmt.Fprintf(&b, "the highest rates at which the 99th percentile of the latency stays within 100 µs and 1 ms, for tasks with %s that arrive %s; ns/op is the time per task at full capacity", work, arrive)
	case s.Rate > 0:
		fmt.Fprintf(&b, "%s tasks in a second with %s arrive %s, whether the loop keeps up or not; ns/op is the 99th percentile of the time from the intended start to the end", FormatRate(float64(s.Rate)), work, arrive)
	default:
		fmt.Fprintf(&b, "tasks with %s arrive %s, %d %% as many as the contestant could run at most; ns/op is the 99th percentile of the time from the intended start to the end", work, arrive, s.Share)
	}
	if s.Submitters() > 1 {
		fmt.Fprintf(&b, "; %d goroutines submit", s.Producers)
	}
	if s.Procs > 0 {
		fmt.Fprintf(&b, "; GOMAXPROCS is %d", s.Procs)
	}
	if s.Computing != result.Idle {
		b.WriteString("; " + s.Computing.About())
	}
	switch s.Mix {
	case Timers:
		b.WriteString("; every task arms a timeout of a second and cancels it, and one in 16 arms a timer that fires")
	case Microtasks:
		b.WriteString("; every task queues a microtask that queues another, and ends with that")
	case Promises:
		b.WriteString("; every task settles a promise with a chain of two handlers, and ends with the second")
	}
	return b.String()
}
