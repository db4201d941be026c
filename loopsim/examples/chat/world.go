package chat

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/eventloop-go/eventloop/loopsim"
)

// Config is for worlds of this program. Only the server has faults of its own; partitions, resets and slow links reach the clients too.
func Config() loopsim.Config {
	return loopsim.Config{Duration: 20 * time.Second, Faults: loopsim.Faults{Kinds: loopsim.AllFaults(), Hosts: []string{"server"}}}
}

// World describes worlds of the program, with a known fault in it or none.
func World(bug Bug) func(*loopsim.World) {
	return func(w *loopsim.World) {
		w.Host("server", func(h *loopsim.Host) {
			if Serve(h, bug) != nil { // the disk is full: try again
				w.Inject(loopsim.Fault{Kind: loopsim.Kill, Host: h.Name(), For: time.Second})
			}
		})
		names := []string{"ann", "bob"}
		clients, shown := map[string]*Client{}, map[string][]string{}
		said, acked := map[string]bool{}, map[string]bool{}
		for _, name := range names {
			w.Host(name, func(h *loopsim.Host) {
				clients[name] = Join(h, bug, func(line string) {
					h.Logf("shows %q", line)
					text := line[strings.LastIndexByte(line, ' ')+1:]
					if slices.Contains(shown[name], text) {
						w.Failf("%s shows %q twice", name, text)
					}
					if !said[text] {
						w.Failf("%s shows %q, which nobody has said", name, text)
					}
					shown[name] = append(shown[name], text)
				}, func(text string) { acked[text] = true })
			})
		}
		random := w.Rand("messages")
		for i := range 8 {
			name, text := names[i%2], fmt.Sprint("m", i)
			w.Step(time.Duration(random.IntN(18_000))*time.Millisecond, name, "say "+text, func(h *loopsim.Host) {
				said[text] = true
				clients[name].Say(text)
			})
		}
		w.Always("the clients see the same", func() error {
			a, b := shown["ann"], shown["bob"]
			for i := range min(len(a), len(b)) {
				if a[i] != b[i] {
					return fmt.Errorf("message %d is %s for ann and %s for bob", i, a[i], b[i])
				}
			}
			return nil
		})
		w.Eventually(time.Minute, "what was said is kept and shown to all", func() error {
			for i := range 8 {
				text := fmt.Sprint("m", i)
				if said[text] && !acked[text] {
					return fmt.Errorf("%s is not acknowledged", text)
				}
				for _, name := range names {
					if said[text] && !slices.Contains(shown[name], text) {
						return fmt.Errorf("%s has not seen %s", name, text)
					}
				}
			}
			return nil
		})
	}
}
