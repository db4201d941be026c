package loopsim

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestTheSameSeedGivesTheSameTraceByteForByte(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range uint64(20) {
		a, b := one(t, seed, faulty(), chatter), one(t, seed, faulty(), chatter)
		holds(t, a)
		if a.trace() != b.trace() || a.hash != b.hash {
			t.Fatalf("seed %d: %s", seed, firstDifference(a.trace(), b.trace()))
		}
		seen[a.hash] = true
	}
	if len(seen) != 20 {
		t.Errorf("20 seeds gave %d traces", len(seen))
	}
}

func TestRecordingChangesNothing(t *testing.T) {
	cfg := faulty()
	cfg.complete(false)
	s := &search{cfg: &cfg, describe: chatter}
	for seed := range uint64(5) {
		if a, b := s.world(seed, &selection{}, false), s.world(seed, &selection{}, true); a.hash != b.hash {
			t.Errorf("seed %d: %d events and %d", seed, a.events, b.events)
		}
	}
}

func TestTracesDoNotDependOnProcessors(t *testing.T) {
	var hashes []uint64
	for _, n := range []int{1, 2, 4} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
		hashes = append(hashes, hashOf(t, 10))
	}
	if hashes[0] != hashes[1] || hashes[1] != hashes[2] {
		t.Errorf("hashes with 1, 2 and 4 processors: %x", hashes)
	}
}

// hashOf is the hash of the traces of some seeds.
func hashOf(t *testing.T, seeds uint64) uint64 {
	cfg := faulty()
	cfg.complete(false)
	s := &search{cfg: &cfg, describe: chatter}
	h := uint64(hashStart)
	for seed := range seeds {
		w := s.world(seed, &selection{}, false)
		holds(t, w)
		h = mix(h, w.hash)
	}
	return h
}

// The variable LOOPSIM_RUNS says how many runs of a hundred seeds there are, instead of one.
func TestTracesAreThoseOfOtherMachines(t *testing.T) {
	// It changes with the simulation. It must not differ between platforms, with the race detector, or between runs.
	const want = "2b257097841a3cf2"
	runs := 1
	if text := os.Getenv("LOOPSIM_RUNS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		runs = n
	}
	for run := range runs {
		if got := fmt.Sprintf("%x", hashOf(t, 100)); got != want {
			t.Fatalf("run %d of a hundred seeds: hash of the traces %s, want %s", run, got, want)
		}
	}
	t.Logf("%d runs of 100 seeds: hash %s; %s, %d processors", runs, want, runtime.GOARCH, runtime.GOMAXPROCS(0))
}

func TestAMapWhoseOrderDecidesIsReportedAsSuch(t *testing.T) {
	said := verdict(t, Config{Seeds: 1, Twice: 1, Duration: 10 * time.Second}, func(w *World) {
		delays := map[time.Duration]bool{}
		for i := range 100 {
			delays[time.Duration(i)*time.Millisecond] = true
		}
		w.Host("a", func(h *Host) {
			var next func()
			next = func() {
				for d := range delays {
					h.Logf("waits %v", d)
					_, _ = h.Loop().ScheduleTimer(time.Second+d, next)
					break
				}
			}
			next()
		})
	})
	for _, want := range []string{"not deterministic", "two runs of this seed differ", "a          log        waits ", "the order of a map"} {
		if !strings.Contains(said, want) {
			t.Errorf("the report lacks %q:\n%s", want, said)
		}
	}
}
