package tournament_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/promises"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

func BenchmarkTournament(b *testing.B) { benchPromises(b, "", workload.PromiseTournament) }
func BenchmarkChainDepth(b *testing.B) {
	benchPromises(b, "10", workload.ChainDepth10)
	benchPromises(b, "100", workload.ChainDepth100)
}
func BenchmarkChainCreation_Depth100(b *testing.B) { benchPromises(b, "", workload.ChainCreation) }
func BenchmarkCheckResolved_Overhead(b *testing.B) { benchPromises(b, "", workload.CheckResolved) }
func BenchmarkFanOut_100(b *testing.B)             { benchPromises(b, "", workload.FanOut) }
func BenchmarkRace_100(b *testing.B)               { benchPromises(b, "", workload.Race100) }

func BenchmarkTournament_Drained(b *testing.B) {
	benchPromises(b, "", workload.PromiseTournamentDrained)
}
func BenchmarkChainDepth_Drained(b *testing.B) {
	benchPromises(b, "10", workload.ChainDepth10Drained)
	benchPromises(b, "100", workload.ChainDepth100Drained)
}
func BenchmarkChainCreation_Depth100_Drained(b *testing.B) {
	benchPromises(b, "", workload.ChainCreationDrained)
}
func BenchmarkCheckResolved_Overhead_Drained(b *testing.B) {
	benchPromises(b, "", workload.CheckResolvedDrained)
}
func BenchmarkFanOut_100_Drained(b *testing.B) { benchPromises(b, "", workload.FanOutDrained) }
func BenchmarkRace_100_Drained(b *testing.B)   { benchPromises(b, "", workload.Race100Drained) }

// benchPromises runs one promise category on every design, below the case if the published name has one.
func benchPromises(b *testing.B, name string, w workload.Promise) {
	each := func(b *testing.B) {
		for _, d := range promises.All() {
			b.Run(d.Name, func(b *testing.B) { w.Bench(b, d) })
		}
	}
	if name == "" {
		each(b)
		return
	}
	b.Run(name, each)
}

func TestEveryPromiseCategoryIsABenchmarkUnderItsName(t *testing.T) {
	source, err := os.ReadFile("bench_promise_test.go")
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]bool)
	for _, fn := range regexp.MustCompile(`(?s)func Benchmark(\w+)\(b \*testing\.B\) *\{(.*?)\}\n`).FindAllStringSubmatch(string(source), -1) {
		for _, call := range regexp.MustCompile(`benchPromises\(b, "([^"]*)"`).FindAllStringSubmatch(fn[2], -1) {
			found[strings.TrimSuffix(fn[1]+"/"+call[1], "/")] = true
		}
	}
	all := workload.AllPromises()
	for _, w := range all {
		if !found[w.Name] {
			t.Errorf("bench_promise_test.go has no benchmark for %s", w.Name)
		}
	}
	if len(found) != len(all) {
		t.Errorf("%d benchmarks for %d categories", len(found), len(all))
	}
}
