package sandbox

import (
	"runtime/metrics"
	"time"

	"github.com/eventloop-go/eventloop/internal/cpuusage"
)

// A watch samples what the process uses: often while it is busy, seldom while it is idle.
type watch struct {
	given settings
	over  func(Limit)
	woken chan struct{}
}

const (
	shortest = 2 * time.Millisecond
	longest  = 128 * time.Millisecond
)

func newWatch(given settings, over func(Limit)) *watch {
	w := &watch{given, over, make(chan struct{}, 1)}
	go w.run()
	return w
}

// wake tells that the process has something to do.
func (w *watch) wake() {
	select {
	case w.woken <- struct{}{}:
	default:
	}
}

func (w *watch) run() {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	pause := longest
	var before time.Duration
	timer := time.NewTimer(pause)
	for {
		select {
		case <-timer.C:
		case <-w.woken:
			pause = shortest
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
		}
		before = used
		timer.Reset(pause)
	}
}
