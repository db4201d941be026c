package meter

import (
	"reflect"
	"sync"
	"testing"

	"github.com/eventloop-go/eventloop/internal/queue"
)

// lone runs one task in a phase of its own.
func (w *world) lone(d int64) {
	w.accept(External, 1)
	if w.m.Begin(External) {
		w.m.BeginAt(External, w.clock())
	}
	w.now += d
	w.busy += d
	if w.m.Ran() {
		w.m.RanAt(w.clock())
	}
	if w.m.End(0) {
		w.m.EndAt(w.clock())
	}
	w.m.Pass()
	w.now += 300
}

func TestLongCallbackAmongShortOnesIsMeasured(t *testing.T) {
	const long = 100_000_000
	for place := range 100 {
		w := newWorld(t, 1, false)
		w.accept(External, 100)
		w.m.BeginAt(External, w.clock())
		for i := range 100 {
			w.now += 20
			if i == place {
				w.now += long
			}
			if w.m.Ran() {
				w.m.RanAt(w.clock())
			}
		}
		w.m.EndAt(w.clock())
		if s := w.snapshot(); s.RunTime.Max() < long || s.RunTime.Max() > long+groupLong || s.RunTime.Count() != 100 {
			t.Errorf("at place %d: %d of %d", place, s.RunTime.Max(), s.RunTime.Count())
		}
	}
}

func TestLongCallbackThatComesAloneAmongShortOnesIsMeasured(t *testing.T) {
	const long = 100_000_000
	for place := range 400 {
		w := newWorld(t, 1, false)
		for i := range 400 {
			if i == place {
				w.lone(long)
			} else {
				w.lone(20)
			}
		}
		w.m.Sleep(w.now)
		if s := w.snapshot(); s.RunTime.Max() < long-groupLong || s.RunTime.Max() > long+groupLong || s.RunTime.Count() != 400 {
			t.Errorf("at place %d: %d of %d", place, s.RunTime.Max(), s.RunTime.Count())
		}
	}
}

func TestTasksInQuickSuccessionAskForTheTimeLessThanOnceEach(t *testing.T) {
	w := newWorld(t, 1, false)
	for range 10_000 {
		w.lone(20)
	}
	if w.asked > 6000 {
		t.Errorf("the clock was read %d times for 10000 tasks", w.asked)
	}
}

func TestTasksBetweenWhichMuchTimePassesAreMeasuredExactly(t *testing.T) {
	w := newWorld(t, 1, false)
	for i := range 1000 {
		w.lone(int64(i % 100))
		w.now += 5000
	}
	if s := w.snapshot(); s.RunTime.Max() != 99 || !near(s.RunTime.Mean()*1000, float64(w.busy), 0) {
		t.Errorf("max %d, mean %v; want 99 and %d", s.RunTime.Max(), s.RunTime.Mean(), w.busy/1000)
	}
}

func TestRunningTellsForHowLong(t *testing.T) {
	w := newWorld(t, 1, false)
	w.accept(Internal, 2)
	if s := w.snapshot(); s.Running != 0 {
		t.Errorf("before: %d", s.Running)
	}
	w.m.BeginAt(Internal, w.clock())
	w.now += 5000
	if s := w.snapshot(); !near(float64(s.Running), 5000, 64) {
		t.Errorf("inside: %d", s.Running)
	}
	w.m.Ran()
	w.m.RanAt(w.clock())
	w.now += 1e9
	if s := w.snapshot(); !near(float64(s.Running), 1e9, 64) || s.RunTime.Max() != 5000 {
		t.Errorf("inside the second: %d, after %d", s.Running, s.RunTime.Max())
	}
	w.m.Ran()
	w.m.EndAt(w.clock())
	w.now += 5000
	if s := w.snapshot(); s.Running != 0 || s.RunTime.Max() != 1e9 {
		t.Errorf("after: %d, %d", s.Running, s.RunTime.Max())
	}
}

func TestMemoryOfStampsIsGivenBackAfterABurst(t *testing.T) {
	w := newWorld(t, 1, false)
	w.accept(External, 200_000)
	if w.m.arrivals[External].stamps.Cap() <= queue.Keep {
		t.Fatal("the burst is too small")
	}
	w.phase(External, 1<<30)
	for len(w.queued[External]) > 0 {
		w.phase(External, 1<<30) // Goexit has cut the last one short
	}
	w.m.Trim()
	if stamps, cap := w.m.arrivals[External].stamps.Cap(), cap(w.m.producers[External].stamps); stamps > queue.Keep || cap > queue.Keep {
		t.Errorf("%d and %d slots for stamps are kept", stamps, cap)
	}
}

// The owner writes while others read: the race detector looks on.
func TestSnapshotsWhileTheOwnerWritesFitTogether(t *testing.T) {
	m := New()
	var loop sync.Mutex
	var readers sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		readers.Go(func() {
			var before uint64
			for {
				select {
				case <-stop:
					return
				default:
				}
				m.Lock()
				loop.Lock()
				s := m.Moment(1<<50, 0)
				loop.Unlock()
				m.Complete(&s)
				ran, runs := total(s.Ran), s.RunTime.Count()
				m.Unlock()
				if ran != runs || ran < before || s.Queued[External] > 100 {
					t.Errorf("%d ran, %d runs, after %d; %v queued", ran, runs, before, s.Queued)
					return
				}
				before = ran
			}
		})
	}
	now := int64(0)
	for range 5000 {
		loop.Lock()
		for range 100 {
			if m.Accept(External) {
				m.AcceptAt(External, now)
			}
		}
		m.Take()
		loop.Unlock()
		if m.Begin(External) {
			m.BeginAt(External, now)
		}
		for range 100 {
			now += 30
			if m.Ran() {
				m.RanAt(now)
			}
		}
		if m.End(0) {
			m.EndAt(now)
		}
	}
	close(stop)
	readers.Wait()
}

func TestMeterTakesNoMoreMemoryThanIsStated(t *testing.T) {
	if n := reflect.TypeFor[Meter]().Size(); n > 60_000 {
		t.Errorf("%d bytes", n)
	}
}
