package jobs

import (
	"fmt"
	"time"

	"github.com/eventloop-go/eventloop/loopsim"
)

// Config is for worlds of this program.
func Config() loopsim.Config {
	return loopsim.Config{Duration: 20 * time.Second, Faults: loopsim.Faults{Kinds: loopsim.AllFaults()}}
}

// World describes worlds of the program, with a known fault in it or none.
func World(bug Bug) func(*loopsim.World) {
	return func(w *loopsim.World) {
		added, done, tokens := map[string]bool{}, map[string]int{}, map[string]int{}
		idle := map[string]time.Duration{}
		w.Host("queue", func(h *loopsim.Host) {
			err := Serve(h, bug, func(id string) {
				if done[id]++; done[id] > 1 {
					w.Failf("job %s is done twice", id)
				}
			})
			if err != nil { // the disk is full: try again
				w.Inject(loopsim.Fault{Kind: loopsim.Kill, Host: h.Name(), For: time.Second})
			}
		})
		workers := map[string]*Worker{}
		for _, name := range []string{"a", "b"} {
			w.Host(name, func(h *loopsim.Host) {
				workers[name] = Work(h, bug, func(id string, token int) {
					h.Logf("works on %s, lease %d", id, token)
					if token < tokens[id] {
						w.Failf("%s works on job %s with lease %d, after lease %d has begun", name, id, token, tokens[id])
					}
					tokens[id] = token
				}, func() { idle[name] = w.Elapsed() })
			})
		}
		random := w.Rand("jobs")
		for i := range 6 {
			at, name, id := time.Duration(random.IntN(18_000))*time.Millisecond, []string{"a", "b"}[i%2], fmt.Sprint("j", i)
			w.Step(at, name, "add "+id, func(h *loopsim.Host) {
				workers[name].Add(id, func() {
					h.Logf("%s is acknowledged", id)
					added[id] = true
				})
			})
		}
		w.Eventually(time.Minute, "acknowledged jobs are done, and workers are idle", func() error {
			for i := range 6 {
				if id := fmt.Sprint("j", i); added[id] && done[id] == 0 {
					return fmt.Errorf("job %s was acknowledged and is not done", id)
				}
			}
			for _, name := range []string{"a", "b"} {
				if idle[name] < 20*time.Second {
					return fmt.Errorf("worker %s has not asked for a job since %v", name, idle[name])
				}
			}
			return nil
		})
	}
}
