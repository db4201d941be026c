package meter

import (
	"math/rand/v2"
	"testing"
)

// A world is a loop without callbacks, on a clock of its own, and the naive model: it notes each thing that happens.
type world struct {
	t      *testing.T
	m      *Meter
	random *rand.Rand
	now    int64
	waits  bool // time passes between phases

	queued [queues][]task
	timers []int64 // deadlines

	ran                [lanes]uint64
	jobs, checkpoints  uint64
	busy, longest      int64
	sampled            uint64
	delays, late       int64
	began, idle, asked int64
	estimated          int // phases without a reading
}

type task struct {
	at      int64
	stamped bool
}

func newWorld(t *testing.T, seed uint64, waits bool) *world {
	w := &world{t: t, m: New(), random: rand.New(rand.NewPCG(seed, 1)), waits: waits}
	w.now = w.random.Int64N(1 << 40)
	w.began = w.now
	w.m.Start(w.now)
	return w
}

// clock is how the meter reads the time.
func (w *world) clock() int64 { w.asked++; return w.now }

func (w *world) accept(lane Lane, n int) {
	for range n {
		stamped := w.m.Accept(lane)
		if stamped {
			w.m.AcceptAt(lane, w.now)
		}
		w.queued[lane] = append(w.queued[lane], task{w.now, stamped})
	}
	w.m.Take()
}

// duration draws how long a callback takes: mostly next to nothing, sometimes long.
func (w *world) duration() int64 {
	switch w.random.IntN(40) {
	case 0:
		return w.random.Int64N(1e7)
	case 1, 2:
		return w.random.Int64N(5000)
	default:
		return w.random.Int64N(100)
	}
}

// callback runs for a while, with jobs and a panic now and then.
func (w *world) callback(lane Lane) (panics bool) {
	d := w.duration()
	w.now += d
	w.busy += d
	w.longest = max(w.longest, d)
	w.ran[lane]++
	if w.random.IntN(8) == 0 {
		w.jobs++
	}
	return w.random.IntN(50) == 0
}

// phase runs up to n callbacks of a lane.
func (w *world) phase(lane Lane, n int) {
	m := w.m
	if lane == Timers {
		m.Read(w.now)
	}
	if m.Begin(lane) {
		m.BeginAt(lane, w.clock())
	}
	if m.group.across {
		w.estimated++
	}
	if w.random.IntN(20) == 0 { // jobs that no callback has scheduled
		w.jobs++
		w.checkpoints++
		d := w.duration()
		w.now += d
		w.busy += d
		w.longest = max(w.longest, d)
	}
	checked := func() {
		if m.Checked(w.jobs) {
			m.CheckedAt(w.jobs, w.clock())
		}
	}
	checked()
	for ; n > 0; n-- {
		if lane == Timers {
			if len(w.timers) == 0 {
				break
			}
			due := w.timers[0]
			w.timers = w.timers[1:]
			m.Due(due)
			w.late += w.now - due
		} else {
			if len(w.queued[lane]) == 0 {
				break
			}
			k := w.queued[lane][0]
			w.queued[lane] = w.queued[lane][1:]
			if k.stamped {
				w.sampled++
				w.delays += w.now - k.at
			}
		}
		panics := w.callback(lane)
		switch {
		case panics && w.random.IntN(5) == 0: // Goexit
			if !m.Exited() {
				w.t.Fatal("no callback was in progress")
			}
			m.ExitedAt(w.jobs, w.clock())
			return
		case panics:
			checked()
		case lane == Timers:
			if m.RanTimer() {
				m.RanAt(w.clock())
			}
		default:
			if m.Ran() {
				m.RanAt(w.clock())
			}
		}
	}
	if m.End(w.jobs) {
		m.EndAt(w.clock())
	}
	if m.Exited() {
		w.t.Fatal("a callback is in progress after the phase")
	}
}

func (w *world) wait() {
	if w.waits {
		w.m.Pass()
		w.now += w.random.Int64N(600)
		if w.random.IntN(100) == 0 {
			w.now += w.random.Int64N(1e6)
		}
	}
}

func (w *world) sleep() {
	d := w.random.Int64N(1e9)
	w.m.Sleep(w.now)
	w.now += d / 2
	if s := w.snapshot(); s.Idle != w.idle+d/2 || s.Running != 0 {
		w.t.Fatalf("asleep: idle %d, want %d; running %d", s.Idle, w.idle+d/2, s.Running)
	}
	w.settled()
	w.now += d - d/2
	w.idle += d
	w.m.Wake(w.now)
}

// step does one thing.
func (w *world) step(what byte) {
	lane := Lane(what >> 3 & 3)
	switch what & 7 {
	case 0:
		if lane == Timers {
			for range int(what>>5) + 1 {
				w.timers = append(w.timers, w.now-w.random.Int64N(1000))
			}
		} else {
			w.accept(lane, 1<<(what>>5))
		}
	case 1:
		w.phase(lane, 1+w.random.IntN(200))
	case 2: // tasks come one by one in quick succession
		for range 1 << (what >> 5) {
			if lane != Timers {
				w.accept(lane, 1)
			}
			w.phase(lane, 1)
			w.wait()
		}
	case 3:
		w.sleep()
	case 4:
		w.wait()
	default:
		w.loose(w.snapshot())
	}
	w.m.Trim()
}

func (w *world) snapshot() Snapshot {
	w.m.Lock()
	defer w.m.Unlock()
	s := w.m.Moment(w.now, len(w.timers))
	w.m.Complete(&s)
	return s
}

func total(n [lanes]uint64) (sum uint64) {
	for _, k := range n {
		sum += k
	}
	return sum
}

// loose checks the invariants of every moment.
func (w *world) loose(s Snapshot) {
	w.t.Helper()
	for lane := range queues {
		if s.Ran[lane] > w.ran[lane] || s.Ran[lane]+s.Queued[lane] != w.ran[lane]+uint64(len(w.queued[lane])) {
			w.t.Fatalf("lane %d: %d ran and %d queued, want %d and %d", lane, s.Ran[lane], s.Queued[lane], w.ran[lane], len(w.queued[lane]))
		}
	}
	if s.RunTime.Count() < total(s.Ran) || s.Lateness.Count() != s.Ran[Timers] || s.Elapsed != w.now-w.began {
		w.t.Fatalf("%d runs and %d latenesses of %v; %d have passed", s.RunTime.Count(), s.Lateness.Count(), s.Ran, s.Elapsed)
	}
}

func near(got, want, slack float64) bool {
	return got >= want-slack-want*1e-9-1 && got <= want+slack+want*1e-9+1
}

// settled checks the invariants of a sleeping loop: nothing is missing then.
func (w *world) settled() {
	w.t.Helper()
	s := w.snapshot()
	w.loose(s)
	if s.Ran != w.ran || s.Jobs != w.jobs || s.RunTime.Count() != total(w.ran)+w.checkpoints || s.Queued[Timers] != uint64(len(w.timers)) {
		w.t.Fatalf("ran %v, %d jobs, %d runs, want %v, %d, and %d checkpoints more", s.Ran, s.Jobs, s.RunTime.Count(), w.ran, w.jobs, w.checkpoints)
	}
	if n := s.Delay.Count(); n != w.sampled || !near(s.Delay.Mean()*float64(n), float64(w.delays), 0) {
		w.t.Fatalf("%d delays, mean %v; want %d, sum %d", n, s.Delay.Mean(), w.sampled, w.delays)
	}
	if late := s.Lateness.Mean() * float64(s.Ran[Timers]); late > float64(w.late)*(1+1e-9)+1 {
		w.t.Fatalf("%v late in sum, want %d at most", late, w.late)
	}
	if s.RunTime.Max() < w.longest-groupLong {
		w.t.Fatalf("the longest run is %d, want %d", s.RunTime.Max(), w.longest)
	}
	if !w.waits {
		if sum := s.RunTime.Mean() * float64(s.RunTime.Count()); !near(sum, float64(w.busy), float64(w.estimated*groupLong)) && s.RunTime.Count() > 0 {
			w.t.Fatalf("the runs took %v, want %d", sum, w.busy)
		}
		if s.RunTime.Max() > maxGroup*w.longest {
			w.t.Fatalf("the longest run is %d, want %d", s.RunTime.Max(), w.longest)
		}
	}
}

func (w *world) finish() {
	w.sleep()
	w.m.Stop(w.now)
	w.now += 1e9
	s := w.snapshot()
	if s.Elapsed != w.now-1e9-w.began || s.Queued != [lanes]uint64{} || s.Ran != w.ran || s.Running != 0 {
		w.t.Fatalf("after the end: %+v", s)
	}
}

func TestMeterAgainstANaiveModel(t *testing.T) {
	for seed := range uint64(400) {
		w := newWorld(t, seed, seed%2 == 0)
		for range 300 {
			w.step(byte(w.random.Uint32()))
		}
		w.finish()
	}
}

func FuzzMeter(f *testing.F) {
	f.Add(uint64(1), []byte{0, 1, 2, 3, 4, 5, 0xe0, 0xe2, 0xe2, 0xe2, 3, 24, 25, 3})
	f.Fuzz(func(t *testing.T, seed uint64, steps []byte) {
		w := newWorld(t, seed, seed%2 == 0)
		for _, s := range steps[:min(len(steps), 1000)] {
			w.step(s)
		}
		w.finish()
	})
}
