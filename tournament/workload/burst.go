package workload

import "github.com/eventloop-go/eventloop/tournament/result"

// BurstSubmit is a burst, and the wait for it.
var BurstSubmit = Workload{
	Name:  "BurstSubmit",
	Kind:  result.KindLoop,
	About: "bursts of 1,000 signalled tasks, waiting after each; what is left of N after whole bursts is not run, but counted",
	Burst: 1000,
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
