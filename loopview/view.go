package loopview

import (
	"slices"
	"sync"
	"time"

	"github.com/eventloop-go/eventloop"
)

const (
	interval = 500 * time.Millisecond // between two samples, and two requests of a page
	lease    = 3 * time.Second        // how long a request counts as a viewer
	history  = 240                    // samples that are kept: two minutes
	maxLoops = 32
)

// A View shows loops to the viewers of its page: see the package's documentation. It is an [http.Handler]. All its
// methods may be called from any goroutine. The zero View is not ready to use.
type View struct {
	reports reports

	mu      sync.Mutex
	boot    time.Time
	added   int // loops so far
	loops   []*watched
	looking bool      // the sampler runs
	until   time.Time // when that ends
	tick    uint64    // samples so far
	answers map[uint64][]byte
}

// New makes a view of loops. It affects them only while it has viewers.
func New(loops ...*eventloop.Loop) *View {
	v := &View{boot: time.Now()}
	for _, l := range loops {
		v.Add(l)
	}
	return v
}

// Add shows another loop. The page calls it by its name, see [eventloop.WithName]. It shows queues, run time and
// delay if the loop was made with [inspect.WithMetrics]. A nil loop, or one already shown, is not added. Beyond 32
// loops the view drops one: first an ended one, otherwise the oldest.
func (v *View) Add(loop *eventloop.Loop) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if loop == nil || slices.ContainsFunc(v.loops, func(w *watched) bool { return w.loop == loop }) {
		return
	}
	if len(v.loops) == maxLoops {
		i := max(0, slices.IndexFunc(v.loops, func(w *watched) bool { return w.ended() }))
		v.loops[i].detach()
		v.loops = slices.Delete(v.loops, i, i+1)
	}
	v.added++
	w := &watched{id: v.added, loop: loop}
	v.loops = append(v.loops, w)
	if v.looking {
		w.attach(&v.reports, v.tick)
	}
	clear(v.answers)
}

// look notes a viewer. The caller holds the lock.
func (v *View) look() {
	v.until = time.Now().Add(lease)
	if v.looking {
		return
	}
	v.looking = true
	v.answers = make(map[uint64][]byte)
	for _, w := range v.loops {
		w.attach(&v.reports, v.tick)
	}
	go v.sample()
}

// sample takes a sample of each loop, repeatedly, until the last viewer has gone.
func (v *View) sample() {
	t := time.NewTicker(interval)
	defer t.Stop()
	for range t.C {
		if !v.sampleOnce(time.Now()) {
			return
		}
	}
}

func (v *View) sampleOnce(now time.Time) (more bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if now.After(v.until) {
		v.looking, v.answers = false, nil
		for _, w := range v.loops {
			w.detach()
		}
		return false
	}
	v.tick++
	clear(v.answers)
	v.reports.nextTick(v.tick)
	for _, w := range v.loops {
		w.take(v.tick, now)
	}
	return true
}
