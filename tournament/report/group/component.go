package group

import (
	"slices"
	"strings"
)

// componentPrefixes begin the names of the component suite.
var componentPrefixes = []string{
	"LatencyAnalysis", "Submit", "FastPath", "Metrics", "NoMetrics", "Task1_2", "WakeUp", "_chunked", "Microtask", "QueueMicrotask", "_microtask",
	"CancelTimer", "LargeTimerHeap", "ScheduleTimer", "Timer", "SetImmediate", "SetInterval", "SetTimeout", "Promise", "Promisify", "HighFrequency",
	"CombinedWorkload", "Latency", "PureChannel", "ChannelWithMutexQueue", "GojaStyleSwap", "MinimalLoop", "LoopDirect", "MicroPingPong", "HighContention",
	"MixedWorkload",
}

// isComponent reports whether a name without "Benchmark" is one of the component suite.
func isComponent(category string) bool {
	return slices.ContainsFunc(componentPrefixes, func(p string) bool { return strings.HasPrefix(category, p) })
}

// sections are the categories under which the published comparison of two platforms listed a row, by a word in its name. The first that
// fits decides. They are kept so that the figures can be set beside the published ones.
var sections = []struct {
	name  string
	words []string
}{
	{"Latency & Primitives", []string{"Latency"}},
	{"Timer Operations", []string{"Timer"}},
	{"Promise Operations", []string{"Promise"}},
	{"Task Submission", []string{"Submit", "Microtask", "chunkedIngress", "microtaskRing", "FastPath"}},
	{"Concurrency", []string{"Parallel", "Contention", "Concurrent"}},
}

// Section returns the name of the category under which the published comparison listed a row, by the row's name without "Benchmark".
func Section(category string) string {
	for _, s := range sections {
		if slices.ContainsFunc(s.words, func(w string) bool { return strings.Contains(category, w) }) {
			return s.name
		}
	}
	return "Other"
}

// Sections lists the names that [Section] returns, in the published order.
var Sections = []string{"Concurrency", "Latency & Primitives", "Other", "Promise Operations", "Task Submission", "Timer Operations"}
