package timers

import "testing"

// Another goroutine has the lock meanwhile.
func TestSchedulingPrunesAFewChunksAtATime(t *testing.T) {
	b := newBench(Options{})
	var handles []Handle
	for range 100 * chunkSize {
		handles = append(handles, b.schedule(0, 0, Once, func() {}))
	}
	for _, h := range handles {
		b.cancel(h)
	}
	all := b.stale.Load()
	for range 10 * chunkSize {
		before := b.stale.Load()
		b.schedule(0, 0, Once, func() {})
		if n := before - b.stale.Load(); n > pruneStep*chunkSize {
			t.Fatalf("one call has dropped %d entries", n)
		}
	}
	if b.stale.Load() == all {
		t.Error("none of the entries that were cancelled was dropped")
	}
}
