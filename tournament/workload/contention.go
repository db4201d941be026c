package workload

import (
	"fmt"

	"github.com/eventloop-go/eventloop/tournament/result"
)

// casProducers are the numbers of goroutines of the published categories.
var casProducers = []int{1, 2, 4, 8, 16, 32}

// CASContention returns the published categories MicroCASContention/N=01 … N=32.
func CASContention() []Workload {
	var all []Workload
	for _, n := range casProducers {
		all = append(all, Workload{
			Name:     fmt.Sprintf("MicroCASContention/N=%02d", n),
			Excluded: fmt.Sprintf("it ends when the tasks are queued; corrected: MicroCASContention_Executed/N=%02d", n),
			Kind:     result.KindLoop,
			About:    fmt.Sprintf("%s the counted submissions; the time ends when the last one is submitted, whether all ran or not", sharing(n)),
			Sweep:    true,
			Run: func(t *Trial) error {
				t.Start()
				err := t.produce(n, t.submitCounted)
				t.Stop()
				t.Submitted(t.N)
				return err
			},
		})
	}
	return all
}

// CASContentionExecuted returns corrected versions that wait for the work.
func CASContentionExecuted() []Workload {
	var all []Workload
	for _, n := range casProducers {
		all = append(all, Workload{
			Name:   fmt.Sprintf("MicroCASContention_Executed/N=%02d", n),
			Kind:   result.KindTwin,
			TwinOf: fmt.Sprintf("MicroCASContention/N=%02d", n),
			About:  fmt.Sprintf("%s the counted submissions; the time ends when the last one has run", sharing(n)),
			Sweep:  true,
			Run:    func(t *Trial) error { return t.produceAndAwait(n) },
		})
	}
	return all
}

func sharing(producers int) string {
	if producers == 1 {
		return "1 goroutine makes"
	}
	return fmt.Sprintf("%d goroutines share", producers)
}
