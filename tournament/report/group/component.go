package group

import "strings"

// A ComponentGroup is one of the groups of the component suite.
type ComponentGroup string

// The groups of the component suite, by what a row really measures.
const (
	Submission         ComponentGroup = "Submission"
	IngressStructure   ComponentGroup = "Ingress structure"
	Microtasks         ComponentGroup = "Microtasks"
	Timers             ComponentGroup = "Timers"
	JSTimers           ComponentGroup = "JavaScript timers"
	Promises           ComponentGroup = "Promises"
	LatencySampling    ComponentGroup = "Latency sampling"
	Primitives         ComponentGroup = "Primitives"
	ChannelComparisons ComponentGroup = "Channel comparisons"
	CombinedWorkloads  ComponentGroup = "Combined workloads"
	// Foreign is the group of rows that the component suite does not have.
	Foreign ComponentGroup = "Other"
)

// ComponentGroups lists the groups in the order in which reports show them.
var ComponentGroups = []ComponentGroup{
	Submission, IngressStructure, Microtasks, Timers, JSTimers, Promises, LatencySampling, Primitives,
	ChannelComparisons, CombinedWorkloads, Foreign,
}

// componentPrefixes sorts names by their start; the first that fits decides.
var componentPrefixes = []struct {
	prefix string
	group  ComponentGroup
}{
	{"LatencyAnalysis", Submission}, {"Submit", Submission}, {"FastPath", Submission}, {"Metrics", Submission},
	{"NoMetrics", Submission}, {"Task1_2", Submission}, {"WakeUp", Submission},
	{"Latencychunked", IngressStructure}, {"_chunked", IngressStructure}, {"LatencySimulated", IngressStructure},
	{"Microtask", Microtasks}, {"QueueMicrotask", Microtasks}, {"Latencymicrotask", Microtasks}, {"_microtask", Microtasks},
	{"CancelTimer", Timers}, {"LargeTimerHeap", Timers}, {"ScheduleTimer", Timers}, {"Timer", Timers},
	{"SetImmediate", JSTimers}, {"SetInterval", JSTimers}, {"SetTimeout", JSTimers},
	{"Promise", Promises}, {"Promisify", Promises},
	{"LatencySample", LatencySampling}, {"LatencyRecord", LatencySampling}, {"HighFrequency", LatencySampling},
	{"CombinedWorkload", LatencySampling},
	{"Latency", Primitives},
	{"PureChannel", ChannelComparisons}, {"ChannelWithMutexQueue", ChannelComparisons}, {"GojaStyleSwap", ChannelComparisons},
	{"MinimalLoop", ChannelComparisons}, {"LoopDirect", ChannelComparisons}, {"MicroPingPong", ChannelComparisons},
	{"HighContention", CombinedWorkloads}, {"MixedWorkload", CombinedWorkloads},
}

// Component returns the group of a row of the component suite, by its name without "Benchmark".
func Component(category string) ComponentGroup {
	for _, p := range componentPrefixes {
		if strings.HasPrefix(category, p.prefix) {
			return p.group
		}
	}
	return Foreign
}

// Section returns the name of the category under which the published comparison of two platforms listed a row, by the
// row's name without "Benchmark". The split goes by words in the name, not by what is measured; it is kept so that the
// figures can be set beside the published ones.
func Section(category string) string {
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(category, w) {
				return true
			}
		}
		return false
	}
	switch {
	case has("Latency"):
		return "Latency & Primitives"
	case has("Timer"):
		return "Timer Operations"
	case has("Promise"):
		return "Promise Operations"
	case has("Submit", "Microtask", "chunkedIngress", "microtaskRing", "FastPath"):
		return "Task Submission"
	case has("Parallel", "Contention", "Concurrent"):
		return "Concurrency"
	}
	return "Other"
}

// Sections lists the names that [Section] returns, in the published order.
var Sections = []string{
	"Concurrency", "Latency & Primitives", "Other", "Promise Operations", "Task Submission", "Timer Operations",
}
