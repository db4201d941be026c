package load

import (
	"runtime/metrics"
	"time"
)

// A heapWatch notes the peak of the heap. Reading takes a microsecond or two and stops no goroutine; the first
// producer does it while it has nothing else to do.
type heapWatch struct {
	sample  []metrics.Sample
	last    int64
	base    uint64
	highest uint64
}

const (
	heapEvery = int64(time.Millisecond)
	heapLong  = 5 * heapEvery                // without such a gap, it is read after this time
	heapSlack = int64(20 * time.Microsecond) // the time until the next arrival that a reading needs
)

func (h *heapWatch) begin() {
	h.sample = []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(h.sample)
	h.base = h.sample[0].Value.Uint64()
	h.highest = h.base
}

// look reads if it is time.
func (h *heapWatch) look(now int64) {
	if now-h.last < heapEvery && now >= h.last || h.sample == nil {
		return
	}
	h.last = now
	metrics.Read(h.sample)
	h.highest = max(h.highest, h.sample[0].Value.Uint64())
}

func (h *heapWatch) lookIfLong(now int64) {
	if now-h.last >= heapLong || now < h.last {
		h.look(now)
	}
}

// grown is how much more the heap held at its highest than in the beginning, garbage included.
func (h *heapWatch) grown() uint64 { return h.highest - h.base }
