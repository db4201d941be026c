package tournament_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/workload"
)

func TestEveryWorkloadIsABenchmarkUnderItsName(t *testing.T) {
	source, err := os.ReadFile("bench_test.go")
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]bool)
	for _, m := range regexp.MustCompile(`func Benchmark(\w+)\(b \*testing\.B\)\s+\{\s*bench\(b, "([^"]*)"`).FindAllSubmatch(source, -1) {
		found[strings.TrimSuffix(string(m[1])+"/"+string(m[2]), "/")] = true
	}
	all := workload.All()
	for _, w := range all {
		if !found[w.Name] {
			t.Errorf("bench_test.go has no benchmark for %s", w.Name)
		}
	}
	if len(found) != len(all) {
		t.Errorf("%d benchmarks for %d workloads", len(found), len(all))
	}
}
