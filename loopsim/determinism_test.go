package loopsim

import (
	"fmt"
	"runtime"
	"testing"
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
	h := uint64(hashStart)
	for seed := range seeds {
		h = mix(h, one(t, seed, faulty(), chatter).hash)
	}
	return h
}

func TestTracesAreThoseOfOtherMachines(t *testing.T) {
	// It changes with the simulation. It must not differ between platforms, with the race detector, or between runs.
	const want = "d229e0712a4bb99a"
	if got := fmt.Sprintf("%x", hashOf(t, 10)); got != want {
		t.Errorf("hash of the traces %s, want %s", got, want)
	}
}
