package summary

import (
	"testing"

	"github.com/eventloop-go/eventloop/tournament/workload"
)

func TestEveryBoundBelongsToAPublishedCategory(t *testing.T) {
	known := make(map[string]bool)
	for _, w := range workload.Published() {
		known[w.Name] = true
	}
	for name := range bounds {
		if !known[name] {
			t.Errorf("a bound for %s, which does not exist", name)
		}
	}
}
