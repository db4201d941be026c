package timerheap

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// model is what a heap has to give: deadlines in order, and of one deadline the one pushed first.
func model(entries []Entry[int]) []Entry[int] {
	sorted := slices.Clone(entries)
	slices.SortStableFunc(sorted, func(a, b Entry[int]) int { return cmp.Compare(a.When, b.When) })
	return sorted
}

func drain(h *Heap[int]) (all []Entry[int]) {
	for len(h.Entries) > 0 {
		all = append(all, h.Entries[0])
		h.Pop()
	}
	return all
}

func TestEntriesComeOutByDeadlineThenByAge(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for size := range 200 {
		h := Heap[int]{Seq: ^uint32(0) - uint32(size/2)} // the sequence wraps around half way
		var pushed []Entry[int]
		for range size {
			h.Push(Entry[int]{When: random.Int64N(10), Timer: new(int)})
			pushed = append(pushed, Entry[int]{})
		}
		copy(pushed, h.Entries)
		slices.SortFunc(pushed, func(a, b Entry[int]) int { return int(int32(a.Seq - b.Seq)) })
		if got, want := drain(&h), model(pushed); !slices.Equal(got, want) {
			t.Fatalf("%d entries: got %v, want %v", size, got, want)
		}
	}
}

func TestPushAndPopInAnyOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var h Heap[int]
	var waiting []Entry[int]
	for range 20_000 {
		if random.IntN(100) < 52 || len(waiting) == 0 {
			e := Entry[int]{When: random.Int64N(1000), Timer: new(int)}
			h.Push(e)
			e.Seq = h.Seq
			waiting = append(waiting, e)
			continue
		}
		want := slices.MinFunc(waiting, func(a, b Entry[int]) int {
			return cmp.Or(cmp.Compare(a.When, b.When), cmp.Compare(a.Seq, b.Seq))
		})
		if got := h.Entries[0]; got != want {
			t.Fatalf("first is %v, want %v", got, want)
		}
		h.Pop()
		waiting = slices.DeleteFunc(waiting, func(e Entry[int]) bool { return e == want })
	}
}

func TestInitMendsTheOrderOfEntriesThatWereSwept(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for size := range 200 {
		var h Heap[int]
		for range size {
			h.Push(Entry[int]{When: random.Int64N(50), Timer: new(int)})
		}
		h.Entries = slices.DeleteFunc(h.Entries, func(Entry[int]) bool { return random.IntN(2) == 0 })
		want := slices.Clone(h.Entries)
		slices.SortFunc(want, func(a, b Entry[int]) int { return cmp.Or(cmp.Compare(a.When, b.When), cmp.Compare(a.Seq, b.Seq)) })
		h.Init()
		if got := drain(&h); !slices.Equal(got, want) {
			t.Fatalf("of %d: got %v, want %v", size, got, want)
		}
	}
}

func TestPopForgetsTheTimer(t *testing.T) {
	var h Heap[int]
	for i := range 8 {
		h.Push(Entry[int]{When: int64(i), Timer: new(int)})
	}
	room := h.Entries
	drain(&h)
	if slices.ContainsFunc(room, func(e Entry[int]) bool { return e.Timer != nil }) {
		t.Error("the heap keeps a timer that was popped")
	}
}
