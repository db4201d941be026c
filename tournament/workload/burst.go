package workload

import "github.com/eventloop-go/eventloop/tournament/result"

// BurstSubmit is a burst, and the wait for it.
var BurstSubmit = Workload{
	Name:     "BurstSubmit",
	Excluded: "the same operations as BurstSubmit_Exact",
	Kind:     result.KindLoop,
	About:    "bursts of 1,000 signalled tasks, waiting after each; N is rounded up to whole bursts, for what is left of it would be counted and not run",
	Burst:    1000,

	WholeBursts: true,
	Run: func(t *Trial) error {
		t.Start()
		for range t.N / 1000 {
			if err := t.submitSignalled(1000); err != nil {
				return err
			}
			t.Pending.Wait()
		}
		t.Stop()
		t.Submitted(t.N / 1000 * 1000)
		return nil
	},
}
