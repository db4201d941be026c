package kv

import (
	"fmt"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/eventloop-go/eventloop/loopsim"
)

// Config is for worlds of this program. Only servers have faults of their own; resets and slow links reach the clients too.
func Config() loopsim.Config {
	return loopsim.Config{Duration: 15 * time.Second, Faults: loopsim.Faults{Kinds: loopsim.AllFaults(), Hosts: servers, Most: 12}}
}

var servers = []string{"a", "b", "c"}

const operations = 24

// World describes worlds of the program, with a known fault in it or none.
func World(bug Bug) func(*loopsim.World) {
	return func(w *loopsim.World) {
		order := map[int]string{} // what is entry 1, 2, … of all logs
		for _, name := range servers {
			w.Host(name, func(h *loopsim.Host) {
				err := Serve(h, bug, servers, func(index int, id string) {
					if order[index] == "" {
						order[index] = id
					}
					if order[index] != id {
						w.Failf("entry %d is %s, and %s on %s", index, order[index], id, name)
					}
				})
				if err != nil { // the disk is full: try again
					w.Inject(loopsim.Fault{Kind: loopsim.Kill, Host: name, For: time.Second})
				}
			})
		}
		clients := map[string]*Client{}
		for _, name := range []string{"x", "y"} {
			w.Host(name, func(h *loopsim.Host) { clients[name] = NewClient(h, servers) })
		}
		history := w.Linearizable("store", model)
		random := w.Rand("operations")
		for i := range operations {
			name, id := []string{"x", "y"}[i%2], fmt.Sprint("r", i)
			op := "get k"
			if random.IntN(2) == 0 {
				op = "append k " + string(rune('a'+i))
			}
			w.Step(time.Duration(random.IntN(15_000))*time.Millisecond, name, id+" "+op, func(h *loopsim.Host) {
				o := history.Begin(i, op)
				clients[name].Do(id, op, func(value string) {
					h.Logf("%s: %q", id, value)
					o.End(value)
				})
			})
		}
		for range 2 { // the clients still reach it
			name, last := servers[random.IntN(len(servers))], time.Duration(500+random.IntN(4000))*time.Millisecond
			w.Step(time.Duration(random.IntN(15_000))*time.Millisecond, "x", fmt.Sprintf("the other servers are cut off from %s for %v", name, last), func(h *loopsim.Host) {
				cutOff(name, w.Cut)
				_, _ = h.Loop().ScheduleTimer(last, func() { cutOff(name, w.Join) })
			})
		}
		w.Eventually(30*time.Second, "all requests are answered", func() error {
			if begun, ended := history.Len(); begun > ended {
				return fmt.Errorf("%d of %d are not", begun-ended, begun)
			}
			return nil
		})
	}
}

// cutOff cuts the ways between a server and the others, or joins them.
func cutOff(name string, change func(from, to string)) {
	for _, other := range servers {
		if other != name {
			change(name, other)
			change(other, name)
		}
	}
}

// model is one value: "append" adds a text to it, and both operations return it.
var model = porcupine.Model{
	Init: func() any { return "" },
	Step: func(state, input, output any) (bool, any) {
		value := state.(string)
		if text, ok := strings.CutPrefix(input.(string), "append k "); ok {
			value += text
		}
		_, unknown := output.(loopsim.Unknown)
		return unknown || output == value, value
	},
}
