package group

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// Contestants are the published contestants. In a foreign log they tell a contestant from a parameter.
var Contestants = []string{
	"Main", "AlternateOne", "AlternateTwo", "AlternateThree", "Baseline",
	"ChainedPromise", "PromiseAltOne", "PromiseAltTwo", "PromiseAltThree", "PromiseAltFour",
}

// KindPromiseTwin is a corrected twin of a promise category. Result files call all twins alike, yet those of loops and
// of promises have no contestant in common and are ranked apart.
const KindPromiseTwin result.Kind = "promise twin"

// aliases are misleading names: the published suite printed a tenth of the number of timers as a
// character.
var aliases = map[string]string{"timers_1": "timers_10", "timers_5": "timers_50", "timers_:": "timers_100"}

// loopCategories and promiseCategories are the families published for the tournament; the rest of a category's name is
// a parameter. All others are corrected versions.
var (
	loopCategories = []string{
		"PingPong", "PingPongLatency", "MultiProducer", "MultiProducerContention", "GCPressure", "GCPressure_Allocations",
		"BurstSubmit", "MicroWakeupSyscall_Running", "MicroWakeupSyscall_Sleeping", "MicroWakeupSyscall_Burst",
		"MicroWakeupSyscall_RapidSubmit", "MicroBatchBudget_Throughput", "MicroBatchBudget_Latency",
		"MicroBatchBudget_Continuous", "MicroBatchBudget_Mixed", "MicroCASContention",
	}
	promiseCategories = []string{
		"Tournament", "ChainDepth", "ChainCreation_Depth100", "CheckResolved_Overhead", "FanOut_100", "Race_100",
	}
)

// identify finds out which row a benchmark is, from what its format keeps apart or else from its name.
func identify(in *parse.Input, r *parse.Row) Row {
	row := Row{Name: r.Name, Category: r.Category, Contestant: r.Contestant, Kind: r.Kind}
	if row.Category == "" {
		row.Category, row.Contestant = split(strings.TrimPrefix(r.Name, "Benchmark"), in.Env.Execution != "")
		row.Kind = kindOf(row.Category, row.Contestant)
	}
	if row.Kind == result.KindComponent && row.Contestant == "Main" {
		row.Contestant = ""
	}
	if row.Kind == result.KindTwin && slices.ContainsFunc(promiseCategories, func(c string) bool { return strings.HasPrefix(row.Category, c) }) {
		row.Kind = KindPromiseTwin
	}
	if whole, ok := strings.CutPrefix(r.Name, "Benchmark"); r.Category != "" || ok && whole != row.Category {
		row.Name = parse.Name(row.Kind, row.Category, row.Contestant)
	} // otherwise the name stands as it is; it may be qualified by its package
	row.Key, row.Label = row.Name, row.Name
	if dir, last, ok := cutLast(row.Category); ok && strings.HasPrefix(dir, "CancelTimer") {
		if meant, ok := aliases[last]; ok {
			row.Key = "Benchmark" + dir + "/" + meant
			row.Label = row.Name + " (" + strings.TrimPrefix(meant, "timers_") + " timers)"
		}
	}
	row.Sweep = sweepOf(row.Category)
	return row
}

// split separates the contestant from the rest of a name. In the tournament's own text, told by its header, it is the
// last part.
func split(name string, own bool) (category, contestant string) {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		if i > 0 && slices.Contains(Contestants, p) {
			return strings.Join(slices.Delete(parts, i, i+1), "/"), p
		}
	}
	if n := len(parts); own && n > 1 {
		return strings.Join(parts[:n-1], "/"), parts[n-1]
	}
	return name, ""
}

func kindOf(category, contestant string) result.Kind {
	family, _, _ := strings.Cut(category, "/")
	switch {
	case slices.Contains(loopCategories, family) && contestant != "":
		return result.KindLoop
	case slices.Contains(promiseCategories, family) && contestant != "":
		return result.KindPromise
	case strings.HasPrefix(family, "Busy") && contestant != "":
		return result.KindBusy
	case strings.HasPrefix(family, "Descriptor") && contestant != "":
		return result.KindDescriptor
	case contestant == "" || isComponent(category):
		return result.KindComponent
	}
	return result.KindTwin
}

func cutLast(s string) (before, last string, ok bool) {
	i := strings.LastIndexByte(s, '/')
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// A Sweep is the place of a category in a series that varies one number. The zero Sweep is no series.
type Sweep struct {
	Family string  // the category without the number
	Param  string  // what is varied, such as "Burst"; empty if the name has the bare number
	X      float64 // its value
}

var number = regexp.MustCompile(`^(?:([A-Za-z]\w*)=)?(\d{1,9})$`)

func sweepOf(category string) Sweep {
	dir, last, ok := cutLast(category)
	if !ok {
		return Sweep{}
	}
	m := number.FindStringSubmatch(last)
	if m == nil {
		return Sweep{}
	}
	x, err := strconv.ParseFloat(m[2], 64)
	if err != nil {
		return Sweep{}
	}
	return Sweep{Family: dir, Param: m[1], X: x}
}
