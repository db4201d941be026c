package sandbox

import (
	"runtime/metrics"
	"sync/atomic"
	"time"

	"github.com/eventloop-go/eventloop/internal/cpuusage"
)

// A watch samples what the process uses: often while it is busy, seldom while it is idle.
type watch struct {
	given settings
	over  func(Limit)
	idle  atomic.Bool // it samples less than often
	woken chan struct{}
}

const (
	shortest = 2 * time.Millisecond
	longest  = 128 * time.Millisecond
)

func newWatch(given settings, over func(Limit)) *watch {
	w := &watch{given: given, over: over, woken: make(chan struct{}, 1)}
	go w.run()
	return w
}

// wake notes that the process has something to do. One that hears that all the time is not disturbed by it.
func (w *watch) wake() {
	if w.idle.Load() && w.idle.CompareAndSwap(true, false) {
		select {
		case w.woken <- struct{}{}:
		default: // run has the last one still to take
		}
	}
}

func (w *watch) run() {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	var before time.Duration
	pause := shortest
	timer := time.NewTimer(pause)
	for {
		select {
		case <-timer.C:
		case <-w.woken:
			pause = shortest
			timer.Reset(pause)
			continue
		}
		used := cpuusage.Total()
		if used > time.Duration(w.given.ProcessorTime) {
			w.over(ProcessorTime)
		}
		metrics.Read(samples)
		if samples[0].Value.Uint64()-samples[1].Value.Uint64() > uint64(w.given.Memory) {
			w.over(Memory)
		}
		if used-before > pause/8 {
			pause = shortest
		} else {
			pause = min(2*pause, longest)
			w.idle.Store(true)
		}
		before = used
		timer.Reset(pause)
	}
}
