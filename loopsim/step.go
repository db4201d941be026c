package loopsim

import "time"

// A step is something that the description of a world has happen.
type step struct {
	at   time.Duration
	m    *machine
	name string
	fn   func(*Host)
}

// Step has fn run on the loop of a host at a time, if the host runs then: a request of a user, say. When a world has failed, steps and
// faults are left out one by one, as long as it still fails. So many small steps make a better story than a few large ones.
func (w *World) Step(at time.Duration, host, name string, fn func(h *Host)) {
	if !w.building {
		panic("loopsim: Step is called after the world has begun")
	}
	w.steps = append(w.steps, &step{at, w.named(host), name, fn})
}

// schedule has the steps and faults happen that are not left out.
func (w *World) schedule() {
	for i, f := range w.faults {
		m, peer := w.named(f.Host), w.named(f.Host)
		if f.Peer != "" {
			peer = w.named(f.Peer)
		}
		e := event{int64(f.At), w.ties.next(), func() { w.begin(f, m, peer) }}
		if w.keep.fault(i) {
			w.queue.push(e)
		}
	}
	for i, s := range w.steps {
		e := event{int64(s.at), w.ties.next(), s.run}
		if w.keep.step(i) {
			w.queue.push(e)
		}
	}
}

func (s *step) run() {
	h := s.m.host
	if h == nil {
		return
	}
	w := h.w
	w.note(kindStep, s.m.id, w.now, hashString(s.name), 0)
	w.record(entry{at: w.now, kind: kindStep, host: s.m.id, peer: -1}, "%s", s.name)
	_ = h.loop.Submit(func() { s.fn(h) }) // refused by a loop that is ending
}
