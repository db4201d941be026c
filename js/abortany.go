package js

import (
	"runtime"
	"slices"
	"weak"

	"github.com/eventloop-go/eventloop/internal/sched"
)

var dependentsMade sched.Uint64

// AbortSignalAny makes a signal that aborts when one of the given signals does, with its reason. If one has aborted
// already, it is born aborted, with the reason of the first in the list: AbortSignal.any (DOM 3.2.1, create a
// dependent abort signal). Nil signals are left out; without any it never aborts. The signals may belong to other
// loops: the listeners of each are called on its own loop.
//
// It leaves nothing behind in long-lived signals: these refer to it weakly, unless something waits for it to abort. A
// listener and a context wait, for example. While something waits it is kept until it aborts. As an exception, one
// whose loop has ended is not kept for its listeners, because they cannot be called.
//
// Any goroutine may call it.
func (e *Env) AbortSignalAny(signals ...*AbortSignal) *AbortSignal {
	d := e.newSignal()
	for _, s := range signals {
		if s != nil && s.Aborted() {
			d.state.Store(s.state.Load())
			return d
		}
	}
	d.self = weak.Make(d)
	d.number = dependentsMade.Add(1)
	var sources []*AbortSignal
	for _, s := range signals {
		if s == nil {
			continue
		}
		// A source is never a dependent itself: the sources of a dependent count instead.
		s.mu.Lock()
		add := []*AbortSignal{s}
		if s.dependent() {
			add = s.sources
		}
		s.mu.Unlock()
		for _, source := range add {
			if !slices.Contains(sources, source) {
				sources = append(sources, source)
			}
		}
	}
	d.mu.Lock()
	d.sources = sources // before they know d and may mark it
	d.mu.Unlock()
	weakSources := make([]weakSignal, len(sources))
	for i, source := range sources {
		weakSources[i] = weak.Make(source)
		source.addDependent(d)
	}
	// A source that aborted before it knew d does not notify it. The given signals are checked too, because the
	// sources of aborted ones are not known any more.
	for _, s := range slices.Concat(signals, sources) {
		if s != nil && s.Aborted() {
			d.mark(s.state.Load())
			for _, source := range sources { // if d was marked earlier, some may have come to know it since
				source.forget(d.self)
			}
			return d
		}
	}
	runtime.AddCleanup(d, removeDependent, deadDependent{d.self, weakSources})
	return d
}

// dependent reports whether the signal was made by AbortSignalAny.
func (s *AbortSignal) dependent() bool { return s.number != 0 }

// A deadDependent is one that the garbage collector has taken. Its sources are known weakly, or the cleanup would keep
// them and, through them, the dependent.
type deadDependent struct {
	self    weakSignal
	sources []weakSignal
}

func removeDependent(d deadDependent) {
	for _, w := range d.sources {
		if source := w.Value(); source != nil {
			source.forget(d.self)
		}
	}
}

// addDependent makes d known to a source, weakly.
func (s *AbortSignal) addDependent(d *AbortSignal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Aborted() {
		return
	}
	if s.dependents == nil {
		s.dependents = make(map[weakSignal]struct{})
	}
	s.dependents[d.self] = struct{}{}
}

// keepDependent makes the reference to a dependent strong, or weak if strong is nil. A source waits for as long as one
// of its dependents does. The dependent's lock is held.
func (s *AbortSignal) keepDependent(self weakSignal, strong *AbortSignal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.dependents[self]; !ok {
		return
	}
	if strong == nil {
		s.letGo(self)
		return
	}
	if s.kept == nil {
		s.kept, s.crowded = make(map[weakSignal]*AbortSignal), crowd
	}
	s.kept[self] = strong
	if len(s.kept) >= s.crowded {
		s.dropEnded()
		s.crowded = max(crowd, 2*len(s.kept))
	}
	s.keep()
}

// crowd is how many dependents a signal keeps before it looks for some whose loop has ended.
const crowd = 16

// forget removes a dependent. A map that was large goes when it is empty.
func (s *AbortSignal) forget(self weakSignal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.letGo(self)
	delete(s.dependents, self)
	if len(s.dependents) == 0 {
		s.dependents = nil
	}
}

// letGo makes the reference to a dependent weak. The lock is held.
func (s *AbortSignal) letGo(self weakSignal) {
	delete(s.kept, self)
	if len(s.kept) == 0 {
		s.kept = nil
	}
	s.keep()
}

// dropEnded drops dependents whose loop has ended with listeners for them. For example, loops that served one request
// each may share a signal. It runs when there are twice as many dependents as it left the last time. The lock is
// held, so a dependent's lock cannot be waited for; a dependent whose lock is taken is checked the next time.
func (s *AbortSignal) dropEnded() {
	for self, d := range s.kept {
		if !d.mu.TryLock() {
			continue
		}
		waits := d.algorithms.Len() > 0
		d.mu.Unlock()
		select {
		case <-d.env.loop.Done():
			if !waits {
				delete(s.kept, self)
			}
		default:
		}
	}
}
