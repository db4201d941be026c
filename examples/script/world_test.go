package main

import (
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/eventloop-go/eventloop/gojaloop"
	"github.com/eventloop-go/eventloop/loopsim"
)

// client adds things to a store, and asks again until it has an answer.
const client = `
	async function add(id) {
		for (;;) {
			try {
				const signal = AbortSignal.timeout(1000);
				const answer = await fetch("http://store/add", { method: "POST", body: id, signal });
				if (answer.ok) return added(id, Number(await answer.text()));
			} catch (e) {
				log("asks again for " + id + " at " + new Date().toISOString() + ": " + e.name);
			}
			await new Promise(done => setTimeout(done, 100 + 400 * Math.random()));
		}
	}
	for (let i = 0; i < 5; i++) setTimeout(() => add(name + i), 2000 * i);`

// startClient runs the script on a host: on its clock, with its network and its random numbers.
func startClient(h *loopsim.Host, added func(id string, count int)) error {
	rt := gojaloop.New(h.Loop(), gojaloop.WithFetch(&http.Client{Transport: h.Network()}), gojaloop.WithOutput(io.Discard, io.Discard),
		gojaloop.WithUncaught(func(err error) { h.World().Failf("%s: %v", h.Name(), err) }))
	return rt.Submit(func(vm *goja.Runtime) {
		vm.SetRandSource(h.Rand.Float64)
		vm.SetTimeSource(h.Now)
		for name, value := range map[string]any{"name": h.Name(), "added": added, "log": func(s string) { h.Logf("%s", s) }} {
			_ = vm.Set(name, value)
		}
		if _, err := vm.RunString(client); err != nil {
			panic(err)
		}
	})
}

// shop is a world of a store, and two scripts that add to it. The store counts a thing once, however often it is asked to, unless it forgets.
func shop(forgets bool) func(*loopsim.World) {
	return func(w *loopsim.World) {
		counts, known := 0, map[string]int{} // survives crashes
		w.Host("store", func(h *loopsim.Host) {
			mux := http.NewServeMux()
			mux.HandleFunc("POST /add", func(rw http.ResponseWriter, r *http.Request) {
				id, err := io.ReadAll(r.Body)
				if err != nil {
					return
				}
				if known[string(id)] == 0 || forgets {
					counts++
					known[string(id)] = counts
				}
				fmt.Fprint(rw, known[string(id)])
			})
			if err := h.ServeHTTP(80, mux); err != nil {
				w.Failf("%v", err)
			}
		})
		done := map[string]int{}
		for _, name := range []string{"a", "b"} {
			w.Host(name, func(h *loopsim.Host) {
				if err := startClient(h, func(id string, count int) {
					h.Logf("%s is number %d", id, count)
					done[id] = count
				}); err != nil {
					w.Failf("%v", err)
				}
			})
		}
		w.Eventually(time.Minute, "all is added, once", func() error {
			if len(done) < 10 || counts != 10 {
				return fmt.Errorf("%d things are added, and %d counted", len(done), counts)
			}
			return nil
		})
	}
}

// Only the store has faults, because a client that starts again adds again. Each world is run twice.
var shopping = loopsim.Config{Duration: 15 * time.Second, Twice: 1, Seeds: 20, Faults: loopsim.Faults{
	Kinds: []loopsim.FaultKind{loopsim.Crash, loopsim.Kill, loopsim.Pause, loopsim.Partition, loopsim.ResetConns, loopsim.SlowLink}, Hosts: []string{"store"}}}

func TestScriptsRunInASimulatedWorld(t *testing.T) { loopsim.Run(t, shopping, shop(false)) }

func TestARequestThatIsDoneAgainIsFoundBehindAScript(t *testing.T) {
	cfg := shopping
	cfg.Seeds = 500
	f := loopsim.Find(cfg, shop(true))
	if f == nil {
		t.Fatal("not found")
	}
	t.Logf("seed %d: %s\n%s", f.Seed, f.Text, f.Story(20))
}
