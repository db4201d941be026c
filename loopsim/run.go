package loopsim

import (
	"flag"
	"fmt"
	"runtime/debug"
	"sync"
	"testing"
	"time"
)

var (
	seedFlag  = flag.String("loopsim.seed", "", "run the worlds of this seed alone: a number, or what a failure has printed")
	seedsFlag = flag.Int("loopsim.seeds", 0, "run so many seeds, instead of what tests say")
)

// Run runs worlds, one for each seed, until one fails. The function describe is called for each: it adds hosts, steps and properties,
// and must not keep anything from one world to the next.
//
// The report of a failure has its seed, a command that repeats it, and files with its time line. It also has the smallest set of faults and
// steps with which the world still fails. With the flag -loopsim.seed only that seed is run, and -loopsim.seeds says how many are.
//
// Everything in a world happens on one goroutine. The seed decides the same on each machine. A program brings in something else
// with the order of a map, a select, goroutines, the machine's clock, or random numbers other than those of the host. Some seeds
// are run twice; Run reports if the two traces differ, and where.
func Run(t testing.TB, cfg Config, describe func(w *World)) {
	t.Helper()
	cfg.complete(testing.Short())
	if *seedsFlag > 0 {
		cfg.Seeds = *seedsFlag
	}
	s := &search{cfg: &cfg, describe: describe}
	if *seedFlag != "" {
		seed, keep, err := parseSeed(*seedFlag)
		if err != nil {
			t.Fatalf("loopsim: %v", err)
		}
		if w := s.world(seed, keep, false); w.failure != nil {
			s.found = w
		}
	} else {
		s.all()
	}
	if s.found != nil {
		f := s.explain()
		t.Error(f.report(t.Name(), cfg.Output))
	}
}

// Find is [Run] without a test: it returns the failure, or nil if all worlds hold.
func Find(cfg Config, describe func(w *World)) *Failure {
	cfg.complete(false)
	s := &search{cfg: &cfg, describe: describe}
	if s.all(); s.found == nil {
		return nil
	}
	return s.explain()
}

// A search runs the worlds of seeds.
type search struct {
	cfg      *Config
	describe func(*World)

	mu    sync.Mutex
	next  int
	found *World // that has failed, with the lowest seed
	took  time.Duration
}

// all runs the seeds until one fails.
func (s *search) all() {
	began := time.Now()
	defer func() { s.took = time.Since(began) }()
	var workers sync.WaitGroup
	for range s.cfg.Workers {
		workers.Go(func() {
			for {
				s.mu.Lock()
				i := s.next
				s.next++
				stop := i >= s.cfg.Seeds || s.found != nil
				s.mu.Unlock()
				if stop {
					return
				}
				if w := s.one(i); w.failure != nil {
					s.mu.Lock()
					if s.found == nil || w.seed < s.found.seed {
						s.found = w
					}
					s.mu.Unlock()
				}
			}
		})
	}
	workers.Wait()
}

// one runs a seed, and some seeds twice.
func (s *search) one(i int) *World {
	seed := s.cfg.First + uint64(i)
	w := s.world(seed, &selection{}, false)
	if w.failure == nil && s.cfg.Twice > 0 && i%s.cfg.Twice == 0 {
		if again := s.world(seed, &selection{}, false); again.hash != w.hash {
			s.compare(again)
			return again
		}
	}
	return w
}

// world runs one.
func (s *search) world(seed uint64, keep *selection, recording bool) *World {
	w := newWorld(seed, s.cfg)
	w.keep, w.recording = keep, recording
	w.mark.Call(func() { w.live(s.describe) })
	return w
}

// live is the life of a world.
func (w *World) live(describe func(*World)) {
	w.building = true
	describe(w)
	w.building = false
	if len(w.machines) == 0 {
		panic("loopsim: the world has no hosts; add them with World.Host")
	}
	w.planFaults()
	for _, m := range w.machines {
		m.boot()
	}
	w.schedule()
	w.settle()
	stuck := time.AfterFunc(patience, func() {
		debug.SetTraceback("all")
		panic(fmt.Sprintf("loopsim: the world of seed %d has not gone on for %v: a callback does not return, or a blocking call waits for something outside the world", w.seed, patience))
	})
	defer stuck.Stop()
	w.run(int64(w.cfg.Duration))
	if w.failure == nil && !w.stopped {
		w.converge()
	}
	if w.failure == nil {
		w.stopped = false
		w.endPrograms()
		w.checkFinally()
	}
	w.over = true
	for _, m := range w.machines {
		if m.host != nil {
			m.host.die()
		}
	}
}

// patience is how long a world may take by the machine's clock.
const patience = 10 * time.Minute

const notDeterministic = "not deterministic"

// compare finds out where two runs of a seed differ, and makes that the failure.
func (s *search) compare(again *World) {
	var runs [2]*World
	for i := range runs {
		w := newWorld(again.seed, s.cfg)
		w.recording, w.hashes = true, []uint64{}
		w.mark.Call(func() { w.live(s.describe) })
		runs[i] = w
	}
	a, b := runs[0], runs[1]
	text := "two runs of this seed differ, and two more do not"
	if a.hash != b.hash {
		at := 0
		for at < min(len(a.hashes), len(b.hashes)) && a.hashes[at] == b.hashes[at] {
			at++
		}
		text = fmt.Sprintf("two runs of this seed differ from event %d on", at)
		for i := range min(len(a.entries), len(b.entries)) {
			if x, y := a.entries[i].line(a), b.entries[i].line(b); x != y {
				text += fmt.Sprintf(":\n  %s\n  %s", x, y)
				break
			}
		}
	}
	again.failure = &failure{class: notDeterministic, at: again.now, event: again.events, text: text +
		"\nLook for the order of a map, select, go, time.Now, and random numbers that are not of Host.Rand or World.Rand."}
}
