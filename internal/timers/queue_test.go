package timers

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// A naive queue: a slice and linear search.
type naive []Entry

func (n naive) first(by int64) *Entry {
	var least *Entry
	for i := range n {
		if e := &n[i]; e.When <= by && (least == nil || cmp.Or(cmp.Compare(e.When, least.When), cmp.Compare(e.Seq, least.Seq)) < 0) {
			least = e
		}
	}
	return least
}

// operate performs random operations, by the bytes of data, on a queue and on the naive one.
func operate(t *testing.T, data []byte, limit int) {
	var q Queue
	var n naive
	var now int64
	timer := new(Timer)
	next := func() int64 {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return int64(b)
	}
	push := func(when int64) {
		q.Push(Entry{When: when, Timer: timer})
		n = append(n, Entry{When: when, Seq: q.seq, Timer: timer})
	}
	// Delays of all magnitudes, some of them equal.
	delay := func() int64 { return next() << (next() % 55) }
	for len(data) > 0 {
		switch next() % 8 {
		case 0:
			now += delay() >> 8
		case 1, 2, 3:
			push(now + delay())
		case 4:
			push(max(now-delay(), 0))
		case 5: // many
			base, step := delay(), delay()>>16
			for i := range next() % 64 {
				for range limit {
					push(now + base + i*step)
				}
			}
		case 6: // drop some
			least := uint32(next())
			keep := func(e *Entry) bool { return e.Seq%7 != least%7 }
			q.Filter(keep)
			n = filter(n, keep)
		case 7:
			q.Trim()
		}
		if now < 0 {
			return
		}
		if q.Len() != len(n) {
			t.Fatalf("%d entries, want %d", q.Len(), len(n))
		}
		if e := n.first(Never); e != nil && q.Next() > e.When || e == nil && q.Next() != Never {
			t.Fatalf("nothing before %d, but the first is %v", q.Next(), e)
		}
		for range next() % 16 {
			got, want := q.First(now), n.first(now)
			if (got == nil) != (want == nil) || got != nil && *got != *want {
				t.Fatalf("at %d first is %v, want %v", now, got, want)
			}
			if got == nil {
				break
			}
			q.Pop()
			n = slices.DeleteFunc(n, func(e Entry) bool { return e.Seq == want.Seq })
		}
	}
	slices.SortFunc(n, func(a, b Entry) int { return cmp.Or(cmp.Compare(a.When, b.When), cmp.Compare(a.Seq, b.Seq)) })
	for _, want := range n {
		if got := q.First(Never); got == nil || *got != want {
			t.Fatalf("in the end first is %v, want %v", got, want)
		}
		q.Pop()
	}
	if q.Len() != 0 || q.First(Never) != nil {
		t.Fatal("not empty in the end")
	}
}

func TestQueueIsInTheOrderOfANaiveOne(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		data := make([]byte, 1+random.IntN(400))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		operate(t, data, 1+random.IntN(8))
	}
}

func FuzzQueue(f *testing.F) {
	f.Add([]byte("\x05\x10\x20\x30\x40\x3f\x05\x06\x00\x10\x30"), byte(9))
	f.Fuzz(func(t *testing.T, data []byte, limit byte) { operate(t, data, int(limit%16)) })
}

// A hundred thousand entries, of deadlines far and near, come out in order, also with arrivals in between.
func TestLongQueueIsInOrder(t *testing.T) {
	for _, c := range []struct {
		name  string
		delay func(r *rand.Rand, i int) int64
	}{
		{"random", func(r *rand.Rand, _ int) int64 { return r.Int64N(1 << 42) }},
		{"few deadlines", func(r *rand.Rand, _ int) int64 { return r.Int64N(10) << 30 }},
		{"one deadline", func(*rand.Rand, int) int64 { return 1 << 40 }},
		{"never", func(r *rand.Rand, i int) int64 { return Never >> (i % 2 * 30) }},
		{"descending", func(_ *rand.Rand, i int) int64 { return 1<<40 - int64(i)<<10 }},
		{"of all magnitudes", func(r *rand.Rand, _ int) int64 { return r.Int64() >> r.IntN(62) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(3, 4))
			var q Queue
			var last Entry
			timer := new(Timer)
			now, in, out := int64(0), 0, 0
			drain := func() {
				for e := q.First(now); e != nil; e = q.First(now) {
					if out > 0 && e.When >= now && e.before(&last) {
						t.Fatalf("%v after %v", *e, last)
					}
					last = *e
					out++
					q.Pop()
				}
				last = Entry{} // later arrivals may be due earlier than entries already taken
			}
			for i := range 100_000 {
				q.Push(Entry{When: After(now, c.delay(random, i)), Timer: timer})
				in++
				if i%5000 == 0 {
					now = After(now, c.delay(random, i)>>8)
					drain()
				}
			}
			now = Never
			drain()
			if in != out || q.Len() != 0 {
				t.Errorf("%d in, %d out, %d left", in, out, q.Len())
			}
		})
	}
}

// The sequence wraps around: equal deadlines still keep the order of arrival.
func TestQueueOutlivesTheWrapAroundOfTheSequence(t *testing.T) {
	for _, since := range []uint32{1<<31 - 2, 1 << 31, 1<<31 + 5, 1<<32 - 5} {
		var q Queue
		push := func(when int64) uint32 {
			q.Push(Entry{When: when, Timer: new(Timer)})
			return q.seq
		}
		old := push(100)
		q.seq += since
		early, young := push(50), push(101)
		var got []uint32
		for e := q.First(Never); e != nil; e = q.First(Never) {
			got = append(got, e.Seq)
			q.Pop()
		}
		if want := []uint32{early, old, young}; !slices.Equal(got, want) {
			t.Errorf("order %v, want %v", got, want)
		}
	}
	q := Queue{seq: 1<<32 - 3}
	for range 10 {
		q.Push(Entry{When: 7, Timer: new(Timer)})
	}
	for want := uint32(1<<32 - 2); q.Len() > 0; want++ {
		if e := q.First(7); e.Seq != want {
			t.Fatalf("entry %d is first, want %d", e.Seq, want)
		}
		q.Pop()
	}
}

func TestQueueForgetsTimersThatAreGone(t *testing.T) {
	var q Queue
	for i := range 100 {
		q.Push(Entry{When: int64(i), Timer: new(Timer)})
	}
	room := q.heap
	for q.First(Never) != nil {
		q.Pop()
	}
	if slices.ContainsFunc(room, func(e Entry) bool { return e.Timer != nil }) {
		t.Error("the queue keeps a timer that was popped")
	}
}

// However many entries there were, little memory stays.
func TestQueueGivesItsMemoryBack(t *testing.T) {
	for _, how := range []string{"popped", "filtered"} {
		var q Queue
		random := rand.New(rand.NewPCG(5, 6))
		for range 200_000 {
			q.Push(Entry{When: random.Int64N(1 << 42), Timer: new(Timer)})
		}
		if how == "popped" {
			for q.First(Never) != nil {
				q.Pop()
			}
		} else {
			q.Filter(func(e *Entry) bool { return false })
		}
		q.Trim()
		if n := q.Slots(); n > 2*keep {
			t.Errorf("%s: %d slots stay", how, n)
		}
	}
}
