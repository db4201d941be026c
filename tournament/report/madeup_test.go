package report

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// hostile is a name that does harm wherever it is not escaped.
const hostile = `<script>alert(1)</script>|**x**&"'`

// madeUp is a tournament on one platform whose outcome is known: times are a base, times a factor of the contestant,
// times a factor of the platform, spread by 1 %.
func madeUp(t *testing.T, goos, goarch string, change func(*result.File)) *parse.Input {
	t.Helper()
	r := rand.New(rand.NewPCG(7, uint64(len(goos)+len(goarch))))
	f := &result.File{
		Environment: result.Environment{GOOS: goos, GOARCH: goarch, CPU: "Made-up CPU", NumCPU: 8, GOMAXPROCS: 8, GoVersion: "go1.26.0",
			Date: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), Execution: result.ExecutionNative},
		Protocol: result.Protocol{Benchtime: time.Second, Count: 5, Order: "interleaved"},
	}
	factors := map[string]float64{"Main": 1, "AlternateOne": 2.2, "AlternateTwo": 1.7, "AlternateThree": 1.3, "Baseline": 1.5,
		"ChainedPromise": 1.1, "PromiseAltOne": 1, "PromiseAltTwo": 1.3, "PromiseAltThree": 1.4, "PromiseAltFour": 2}
	row := func(kind result.Kind, category, contestant string, ns, bytes, allocs float64) {
		x := result.Row{Category: category, Kind: kind, Contestant: contestant}
		for i := range 5 {
			x.Samples = append(x.Samples, result.Sample{N: 1000 + i, NsPerOp: ns * (1 + 0.01*r.NormFloat64()), BytesPerOp: bytes, AllocsPerOp: allocs})
		}
		f.Rows = append(f.Rows, x)
	}
	for i, c := range group.Contestants[:5] {
		ns := factors[c]
		row(result.KindLoop, "PingPong", c, 100*ns, 24, 1)
		latency := 430 * ns
		if c == "AlternateOne" || c == "AlternateTwo" {
			latency = 41000 * ns
		}
		row(result.KindLoop, "PingPongLatency", c, latency, 128, 2)
		row(result.KindLoop, "BurstSubmit", c, 55*ns, 24, float64(i%2))
		row(result.KindLoop, "MicroWakeupSyscall_Burst", c, 19600, 0, 0)
		row(result.KindLoop, "GCPressure", c, 500/ns, 24, 1)
		for _, burst := range []int{64, 128, 256, 512, 1024, 2048, 4096} {
			v := 50*ns + 3000/float64(burst)
			if c == "AlternateThree" && burst > 512 {
				v *= 2.2
			}
			row(result.KindLoop, fmt.Sprintf("MicroBatchBudget_Latency/Burst=%d", burst), c, v, 24, 1)
		}
		row(result.KindTwin, "PingPong_Drained", c, 120*ns, 24, 1)
	}
	for _, c := range group.Contestants[5:] {
		row(result.KindPromise, "Tournament", c, 400*factors[c], 300, 8)
		row(result.KindPromise, "ChainDepth/10", c, 2800*factors[c], 900, 40)
		if c == "PromiseAltTwo" {
			f.Rows = append(f.Rows, result.Row{Category: "Race_100", Kind: result.KindPromise, Contestant: c, NotApplicable: "has no Race"})
			continue
		}
		row(result.KindPromise, "Race_100", c, 4600*factors[c], 6464, 101)
	}
	row(result.KindComponent, "Submit", "Main", 33, 0, 0)
	row(result.KindComponent, "QueueMicrotask", "Main", 57, 44, 0)
	row(result.KindComponent, "CancelTimers_Batch/timers_1", "Main", 72940, 1525, 26)
	for _, c := range group.Contestants[:5] {
		for _, suite := range []string{"MemoryLeak", "PanicIsolation", "ShutdownConservation"} {
			check := result.Check{Suite: suite, Contestant: c, Status: result.Pass, Duration: time.Millisecond}
			if suite == "ShutdownConservation" && c == "Baseline" {
				check.Status, check.Detail = result.Skip, "its Stop does not wait"
			}
			f.Checks = append(f.Checks, check)
		}
		f.Checks = append(f.Checks, result.Check{Suite: "RaceWakeup", Contestant: c, Status: result.Pass, Race: true})
	}
	if change != nil {
		change(f)
	}
	var b bytes.Buffer
	if err := f.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	in, err := parse.Read(goos+"/results.json", &b)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// times multiplies the times of a contestant.
func times(contestant string, by float64) func(*result.File) {
	return func(f *result.File) {
		for _, r := range f.Rows {
			if r.Contestant == contestant {
				for i := range r.Samples {
					r.Samples[i].NsPerOp *= by
				}
			}
		}
	}
}
