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
		if string(m[1]) != string(m[2]) {
			t.Errorf("Benchmark%s runs %s", m[1], m[2])
		}
		found[string(m[2])] = true
	}
	categories := make(map[string]bool)
	for _, w := range workload.All() {
		category, _, _ := strings.Cut(w.Name, "/")
		if categories[category] = true; !found[category] {
			t.Errorf("bench_test.go has no benchmark for %s", w.Name)
		}
	}
	if len(found) != len(categories) {
		t.Errorf("%d benchmarks for %d categories", len(found), len(categories))
	}
}
