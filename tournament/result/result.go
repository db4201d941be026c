// Package result defines the file format for a tournament's measurements: results.json, and the same figures as Go
// benchmark text for benchstat and similar tools.
package result

import (
	"strings"
	"time"
)

// Schema names the format of results.json. [ReadJSON] also reads the one before it, and refuses all others.
const Schema = "eventloop-tournament/2"

// schemaOne lacked processes, rounds and descriptions: all samples of a file were taken in one process.
const schemaOne = "eventloop-tournament/1"

// A File is everything one run on one machine measured.
type File struct {
	Schema      string      `json:"schema"`
	Environment Environment `json:"environment"`
	Protocol    Protocol    `json:"protocol"`
	About       About       `json:"about,omitzero"`
	Rows        []Row       `json:"rows"`
	Checks      []Check     `json:"checks,omitempty"`

	// Interrupted says that the run was ended before all rows had all their samples.
	Interrupted bool `json:"interrupted,omitempty"`
}

// About describes in a line, by name, each category and each contestant.
type About struct {
	Categories  map[string]string `json:"categories,omitempty"`
	Contestants map[string]string `json:"contestants,omitempty"`
}

// An Environment says where the figures come from. Figures of different environments are never ranked together
// without saying so.
type Environment struct {
	GOOS       string    `json:"goos"`
	GOARCH     string    `json:"goarch"`
	CPU        string    `json:"cpu"`
	NumCPU     int       `json:"num_cpu"`
	GOMAXPROCS int       `json:"gomaxprocs"`
	GoVersion  string    `json:"go_version"`
	Date       time.Time `json:"date"`

	// Execution is how the binary ran: ExecutionNative, ExecutionEmulated or ExecutionCompiled.
	Execution Execution `json:"execution"`

	// Emulator names the machine's emulator, such as "qemu-user" or "wine".
	Emulator string `json:"emulator,omitempty"`

	// Commit is the revision or module version of the program. Dirty says that its source had further changes.
	Commit string `json:"commit,omitempty"`
	Dirty  bool   `json:"dirty,omitempty"`
	// Binary is the beginning of the SHA-256 of the program's file.
	Binary string `json:"binary,omitempty"`
	Kernel string `json:"kernel,omitempty"`
	// CgroupCPU and CgroupMemory are the limits that the control group sets, as the kernel writes them.
	CgroupCPU    string `json:"cgroup_cpu,omitempty"`
	CgroupMemory string `json:"cgroup_memory,omitempty"`
	// Affinity lists the processors that the program may use.
	Affinity    string `json:"affinity,omitempty"`
	ClockSource string `json:"clock_source,omitempty"`
	// LoadBefore and LoadAfter are the machine's load averages of one minute, before the first sample and after the last.
	LoadBefore float64 `json:"load_before,omitempty"`
	LoadAfter  float64 `json:"load_after,omitempty"`
}

// SameMachine reports whether two environments are of one machine, system and toolchain. The programs may differ.
func (e Environment) SameMachine(o Environment) bool {
	type machine struct {
		goos, goarch, cpu, version, emulator string
		cpus, procs                          int
		execution                            Execution
	}
	of := func(e Environment) machine {
		return machine{e.GOOS, e.GOARCH, e.CPU, e.GoVersion, e.Emulator, e.NumCPU, e.GOMAXPROCS, e.Execution}
	}
	return of(e) == of(o)
}

// Execution is how the binary ran: ExecutionNative, ExecutionEmulated or ExecutionCompiled.
// Execution is how a binary ran.
type Execution string

// The ways in which a binary can have run. Timings are never ranked across them.
const (
	ExecutionNative   Execution = "native"
	ExecutionEmulated Execution = "emulated"
	ExecutionCompiled Execution = "compiled only"
)

// A Protocol says how the figures were taken.
type Protocol struct {
	// Benchtime is the length of one sample.
	Benchtime time.Duration `json:"benchtime_ns"`
	// Name is the way in which the tournament was run: quick, full, or empty if unknown.
	Name string `json:"name,omitempty"`
	// Level is the share within which times count as level in the verdicts of the run; 0 means the default.
	Level float64 `json:"level,omitempty"`
	// Budget is the time the run was given to decide in; 0 where the number of samples was given.
	Budget time.Duration `json:"budget_ns,omitempty"`
	// Count is the number of samples asked for in each row, over all processes; with slices, in each process.
	Count int `json:"count"`
	// Processes is the number of processes that the samples were taken in. Each calibrates anew.
	Processes int `json:"processes,omitempty"`
	// Order is the order in which samples were taken, such as OrderInterleaved.
	Order string `json:"order"`
	// Seed is where the order of contestants in each round comes from.
	Seed uint64 `json:"seed,omitempty"`
}

// OrderInterleaved says that each round visits every category once, and in it every contestant once, in an order
// drawn for the round. So a machine that drifts affects all alike.
const OrderInterleaved = "interleaved"

// A Kind groups categories of one sort.
type Kind string

// The kinds of category.
const (
	KindLoop       Kind = "loop"       // a published loop category
	KindTwin       Kind = "twin"       // a corrected twin of a published category
	KindPromise    Kind = "promise"    // a promise category
	KindComponent  Kind = "component"  // a row of the component suite
	KindDescriptor Kind = "descriptor" // a category of descriptors, of which none was published
	KindBusy       Kind = "busy"       // a category of a busy machine, of which none was published
	KindLoad       Kind = "load"       // an open-loop category; its ns/op is a percentile of latency, see package load
)

// A Row holds the samples of one contestant in one category.
type Row struct {
	// Category is the published name without "Benchmark", such as "MicroBatchBudget_Throughput/Burst=1024".
	Category   string   `json:"category"`
	Kind       Kind     `json:"kind"`
	TwinOf     string   `json:"twin_of,omitempty"` // the published category that a twin corrects
	Contestant string   `json:"contestant"`
	Family     string   `json:"family,omitempty"`   // the default member of the contestant's family, if that is another
	Control    bool     `json:"control,omitempty"`  // the contestant is a baseline, not a design
	Excluded   string   `json:"excluded,omitempty"` // why the category decides nothing
	Samples    []Sample `json:"samples"`

	// Cost is the time of one process for the row, set-up included; 0 if unknown.
	Cost time.Duration `json:"cost_ns,omitempty"`

	// Error is why the row failed. A failed row has no samples.
	Error string `json:"error,omitempty"`
	// NotApplicable is why the contestant cannot take part in the category. Never shown as zero.
	NotApplicable string `json:"not_applicable,omitempty"`
}

// A Sample is the outcome of one benchmark run.
type Sample struct {
	// Process and Round say when the sample was taken. Both count from 1. Samples of one process and round are
	// adjacent in time. Samples of one process share random conditions, such as the layout of memory.
	Process int `json:"process,omitempty"`
	Round   int `json:"round,omitempty"`

	N           int     `json:"n"`
	NsPerOp     float64 `json:"ns_per_op"`
	BytesPerOp  float64 `json:"bytes_per_op"`
	AllocsPerOp float64 `json:"allocs_per_op"`

	// Elapsed is the length of the timed section. A workload that takes a time of its own, such as one that leaves
	// pauses out, makes it longer than N times NsPerOp.
	Elapsed time.Duration `json:"elapsed_ns,omitempty"`

	// Metrics holds further figures of the workload, by unit.
	Metrics map[string]float64 `json:"metrics,omitempty"`
}

// ReplicaSuffix ends the name of a contestant that was entered twice. The rows of both entries measure the same
// program. So they show how far apart two identical programs are.
const ReplicaSuffix = "-Replica"

// ReplicaOf returns the contestant that a name enters for the second time, if it does. Earlier results say "-Again".
func ReplicaOf(contestant string) (first string, ok bool) {
	if first, ok = strings.CutSuffix(contestant, ReplicaSuffix); ok {
		return first, true
	}
	return strings.CutSuffix(contestant, "-Again")
}

// FamilyOf returns the name of the default member of the contestant's family. Results that do not say name variants after it.
func (r *Row) FamilyOf() string {
	if r.Family != "" {
		return r.Family
	}
	first, _ := ReplicaOf(r.Contestant)
	family, _, _ := strings.Cut(first, "-")
	if family == "Main" || family == "AlternateThree" {
		return family
	}
	return first
}

// A Status is the outcome of a check.
type Status string

// The outcomes of a check.
const (
	Pass Status = "pass"
	Fail Status = "fail"
	Skip Status = "skip" // a known limit of the contestant; Detail gives the true reason
	NA   Status = "n/a"  // the contestant lacks a capability that the suite needs
)

// A Check is the outcome of one correctness suite for one contestant.
type Check struct {
	Suite      string        `json:"suite"`
	Contestant string        `json:"contestant"`
	Status     Status        `json:"status"`
	Race       bool          `json:"race"` // ran under the race detector
	Duration   time.Duration `json:"duration_ns"`
	Detail     string        `json:"detail,omitempty"`
}
