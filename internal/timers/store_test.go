package timers

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/eventloop-go/eventloop/internal/sched"
)

// A bench is a store with the lock that its user has.
type bench struct {
	Store
	mu sync.Mutex
}

func newBench(o Options) *bench {
	b := new(bench)
	if o.Look == nil {
		o.Look = func() {}
	}
	b.Init(o)
	return b
}

func (b *bench) schedule(when, delay int64, missed MissedTicks, fn func()) Handle {
	b.mu.Lock()
	defer b.mu.Unlock()
	for u := (Supply{}); ; u.Make(&b.Store) {
		if h, ok := b.Schedule(&u, when, delay, fn, missed); ok {
			return h
		}
	}
}

func (b *bench) scheduleOwn(when int64, fn func()) Handle {
	if b.WantsRefill() {
		b.mu.Lock()
		b.Refill()
		b.mu.Unlock()
	}
	return b.ScheduleOwn(when, 0, fn)
}

func (b *bench) rearm(h Handle, now, delay int64) Outcome {
	b.mu.Lock()
	defer b.mu.Unlock()
	for u := (Supply{}); ; u.Make(&b.Store) {
		if _, outcome := b.Rearm(&u, h, now, delay); outcome != Short {
			return outcome
		}
	}
}

func (b *bench) cancel(h Handle) bool {
	if h.Release() {
		b.Disarmed(1)
		return true
	}
	return false
}

func (b *bench) take() {
	b.mu.Lock()
	b.Take()
	b.mu.Unlock()
}

// settle is the owner's work between phases.
func (b *bench) settle(now int64) {
	b.take()
	b.Adopt()
	b.Repeat(now, -1)
}

// phase fires the timers that are due.
func (b *bench) phase(now int64) {
	b.settle(now)
	b.Begin(now)
	for fn, when := b.Fire(); fn != nil; fn, when = b.Fire() {
		if when > now {
			panic(fmt.Sprintf("fired at %d, due at %d", now, when))
		}
		fn()
	}
	b.settle(now)
}

// A plain timer, as the model has it.
type plain struct {
	h            Handle
	id           int
	when, seq    int64
	delay        int64
	missed       MissedTicks
	armed, inert bool
	justFired    bool
}

// Random operations run on one goroutine. The fired timers, and their order, must match a slice with a search.
func TestStoreFiresAsANaiveOneDoes(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		var refs sched.Int64
		b := newBench(Options{Refs: &refs, Count: true})
		var all []*plain
		var got, want []string
		now, seq := int64(0), int64(0)
		delay := func() int64 { return random.Int64N(20) << random.IntN(24) }
		add := func(when, delay int64, missed MissedTicks, own bool) {
			seq++
			p := &plain{id: len(all), when: when, delay: delay, seq: seq, missed: missed, armed: true}
			fn := func() { got = append(got, fmt.Sprint(p.id, "@", now)) }
			if own {
				p.h = b.scheduleOwn(when, fn)
			} else {
				p.h = b.schedule(when, delay, missed, fn)
			}
			all = append(all, p)
		}
		phase := func() {
			b.phase(now)
			last := seq
			var ran []*plain
			for {
				var next *plain
				for _, p := range all {
					if p.armed && !p.justFired && p.when <= now && p.seq <= last && (next == nil || p.when < next.when || p.when == next.when && p.seq < next.seq) {
						next = p
					}
				}
				if next == nil {
					break
				}
				want = append(want, fmt.Sprint(next.id, "@", now))
				if next.missed == Once {
					next.armed = false
				} else {
					next.justFired = true
					ran = append(ran, next)
				}
			}
			for _, p := range ran {
				seq++
				p.justFired, p.seq, p.when = false, seq, p.missed.Next(p.when, p.delay, now)
			}
		}
		for range 50 + random.IntN(2000) {
			var p *plain
			if len(all) > 0 {
				p = all[random.IntN(len(all))]
			}
			switch n := random.IntN(16); {
			case n < 6 || p == nil:
				d := delay()
				add(now+d, d, Once, false)
			case n == 6:
				b.settle(now) // the owner adopts before it adds
				add(now+delay(), 0, Once, true)
			case n == 7 && random.IntN(8) == 0:
				d := delay() + 1
				add(now+d, d, MissedTicks(random.IntN(3)), false)
			case n < 10:
				if b.cancel(p.h) != p.armed {
					t.Fatalf("seed %d: cancelling %d", seed, p.id)
				}
				p.armed, p.inert = false, true
			case n == 10:
				if p.h.Stop() != p.armed {
					t.Fatalf("seed %d: stopping %d", seed, p.id)
				}
				p.armed = false
			case n < 13:
				d := delay() + 1
				outcome := b.rearm(p.h, now, d)
				if (outcome == Inert) != p.inert {
					t.Fatalf("seed %d: re-arming %d: %v", seed, p.id, outcome)
				}
				if !p.inert {
					seq++
					p.armed, p.when, p.delay, p.seq = true, now+d, d, seq
				}
			case n == 13:
				now += delay() >> random.IntN(8)
				phase()
			case n == 14:
				b.settle(now)
				due := false
				for _, p := range all {
					due = due || p.armed && p.when <= now
				}
				if b.Due(now) != due {
					t.Fatalf("seed %d: at %d due is %v", seed, now, !due)
				}
			default:
				b.Trim()
			}
			armed := 0
			for _, p := range all {
				if p.armed {
					armed++
				}
			}
			if b.Armed() != armed || int(refs.Load()) != armed {
				t.Fatalf("seed %d: %d armed, %d references, want %d", seed, b.Armed(), refs.Load(), armed)
			}
		}
		now += 1 << 40
		phase()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("seed %d: fired\n%v, want\n%v", seed, got, want)
		}
		armed := 0
		for _, p := range all {
			if p.armed {
				armed++
			}
		}
		if n := b.Clear(); n != armed {
			t.Fatalf("seed %d: %d armed in the end, want %d", seed, n, armed)
		}
	}
}

// Goroutines schedule, stop, cancel and re-arm while the owner fires: each timer fires or is cancelled, never both; the
// books are balanced in the end.
func TestStoreDecidesBetweenFiringAndCancelling(t *testing.T) {
	var refs sched.Int64
	b := newBench(Options{Refs: &refs, Count: true})
	const each = 20_000
	var ended atomic.Int32
	var fired, cancelled atomic.Int64
	var wg sync.WaitGroup
	for g := range 3 {
		wg.Go(func() {
			defer ended.Add(1)
			random := rand.New(rand.NewPCG(uint64(g), 7))
			for range each {
				once := new(atomic.Bool)
				fn := func() {
					if once.Swap(true) {
						t.Error("fired twice, or after it was cancelled")
					}
					fired.Add(1)
				}
				h := b.schedule(random.Int64N(100), 0, Once, fn)
				h.SetRef(random.IntN(2) == 0)
				if random.IntN(4) == 0 && h.Stop() {
					b.rearm(h, 0, random.Int64N(100))
				}
				h.SetRef(random.IntN(2) == 0)
				if random.IntN(2) == 0 && b.cancel(h) {
					if once.Swap(true) {
						t.Error("cancelled after it had fired")
					}
					cancelled.Add(1)
				}
			}
		})
	}
	for now := int64(0); ended.Load() < 3; now++ {
		b.phase(now % 100)
		if now%64 == 0 {
			b.Trim()
		}
	}
	wg.Wait()
	b.phase(100)
	if n := fired.Load() + cancelled.Load(); n != 3*each {
		t.Errorf("%d fired and %d were cancelled, want %d in all", fired.Load(), cancelled.Load(), 3*each)
	}
	if b.Armed() != 0 || refs.Load() != 0 || b.Clear() != 0 {
		t.Errorf("%d armed, %d references are left", b.Armed(), refs.Load())
	}
	if fired.Load() == 0 || cancelled.Load() == 0 {
		t.Error("one side won every race: they were none")
	}
}

// Repeating timers are cancelled, and their memory used again, while they fire.
func TestStoreForgetsCallbacksThatAreCancelledWhileTheyFire(t *testing.T) {
	b := newBench(Options{})
	var ended atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		defer ended.Store(true)
		for range 20_000 {
			h := b.schedule(0, 1, SkipMissed, func() {})
			if !b.cancel(h) {
				t.Error("a repeating timer was not armed")
			}
		}
	})
	for now := int64(0); !ended.Load(); now++ {
		b.phase(now)
	}
	wg.Wait()
	b.phase(1 << 40)
	if n := b.Clear(); n != 0 {
		t.Errorf("%d are armed", n)
	}
	for _, list := range [][]*Timer{b.arrivals.free, b.dropped, b.own} {
		for _, timer := range list {
			if timer.fn != nil {
				t.Fatal("a timer to be used again has a callback")
			}
		}
	}
}

// Cancelled arrivals take no room, though the owner does not come. A call prunes at most two chunks. Live arrivals
// keep their order.
func TestArrivalsArePrunedLittleByLittle(t *testing.T) {
	b := newBench(Options{})
	random := rand.New(rand.NewPCG(8, 9))
	var fired, want []int
	var pending []Handle
	ids := map[Handle]int{}
	for i := range 100_000 {
		h := b.schedule(0, 0, Once, func() { fired = append(fired, i) })
		ids[h] = i
		pending = append(pending, h)
		for len(pending) > 500 || len(pending) > 0 && random.IntN(3) == 0 {
			k := random.IntN(len(pending))
			if pending[k] == h && len(pending) <= 500 {
				break
			}
			b.cancel(pending[k])
			pending = append(pending[:k], pending[k+1:]...)
		}
		if b.Waiting() > 3000 {
			t.Fatalf("%d arrivals, of which %d are live", b.Waiting(), len(pending))
		}
	}
	for _, h := range pending {
		want = append(want, ids[h])
	}
	b.phase(0)
	if fmt.Sprint(fired) != fmt.Sprint(want) {
		t.Errorf("fired\n%v, want\n%v", fired, want)
	}
}
