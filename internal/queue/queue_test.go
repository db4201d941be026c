package queue

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestFIFOAgainstASlice(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var q FIFO[int]
		var model []int
		for next := range 2000 {
			switch {
			case random.IntN(100) < 55:
				q.Push(next)
				model = append(model, next)
			case len(model) > 0:
				if first, got := q.First(), q.Pop(); got != model[0] || first != got {
					t.Fatalf("First %d, Pop %d, want %d", first, got, model[0])
				}
				model = model[1:]
			}
			if q.Len() != len(model) || q.Cap() < q.Len() {
				t.Fatalf("Len %d, Cap %d, want %d", q.Len(), q.Cap(), len(model))
			}
		}
	}
}

func TestFIFOForgetsWhatWasTakenOut(t *testing.T) {
	var q FIFO[*int]
	for range 100 {
		q.Push(new(int))
	}
	for q.Len() > 0 {
		q.Pop()
	}
	if slices.ContainsFunc(q.ring, func(p *int) bool { return p != nil }) {
		t.Error("the ring keeps what was taken out")
	}
}

func TestTrimGivesBackOnlyALongRingThatIsEmpty(t *testing.T) {
	var q FIFO[int]
	for i := range Keep + 1 {
		q.Push(i)
	}
	if q.Trim(); q.Cap() <= Keep {
		t.Error("trimmed with elements in it")
	}
	for q.Len() > 0 {
		q.Pop()
	}
	if q.Trim(); q.Cap() != 0 {
		t.Errorf("a ring of %d stays", q.Cap())
	}
	q.Push(1)
	if q.Trim(); q.Pop() != 1 {
		t.Error("lost an element")
	}
	if q.Trim(); q.Cap() == 0 {
		t.Error("a short ring was given back")
	}
}

// TestLaneAgainstASlice pushes bursts of all lengths, takes some and runs some. It checks the order and the remaining
// callbacks of the lane.
func TestLaneAgainstASlice(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		var in Inbox
		var out Backlog
		pushed, ran := 0, 0
		for range 40 {
			for range 1 << random.IntN(13) {
				number := pushed
				in.Push(func() {
					if number != ran {
						t.Fatalf("number %d ran as the %dth", number, ran)
					}
					ran++
				})
				pushed++
			}
			waiting := out.Len()
			if in.Len() != pushed-ran-waiting || in.Size() != in.Len() {
				t.Fatalf("inbox of %d, by its size %d, want %d", in.Len(), in.Size(), pushed-ran-waiting)
			}
			if random.IntN(2) == 0 {
				out.Take(&in)
				if in.Len() != 0 || in.Size() != 0 || out.Len() != pushed-ran {
					t.Fatalf("taken: inbox of %d, backlog of %d, want 0 and %d", in.Len(), out.Len(), pushed-ran)
				}
			}
			for range random.IntN(6) {
				if !out.Next() {
					break
				}
				for range min(out.Ready(), random.IntN(2*BatchSize)) {
					out.Pop()()
				}
			}
			if out.Empty() != (out.Len() == 0) {
				t.Fatalf("Empty %v with %d", out.Empty(), out.Len())
			}
		}
		if in.Len() > 0 {
			out.Take(&in)
		}
		for out.Next() {
			out.Pop()()
		}
		if ran != pushed {
			t.Fatalf("%d of %d ran", ran, pushed)
		}
		if kept, most := in.Cap()+out.Cap(), (2*SpareBatches+4)*BatchSize+2*BatchSize; kept > most {
			t.Errorf("%d words stay after %d callbacks, want at most %d", kept, pushed, most)
		}
	}
}

func TestBehindIsSaidForEachBatchAndThenAtEachDoubling(t *testing.T) {
	var q Inbox
	var said []int
	for range 100 * BatchSize {
		if q.Push(nil); q.Behind() {
			said = append(said, q.Len()/BatchSize)
		}
	}
	want := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 32, 64}
	if !slices.Equal(said, want) {
		t.Errorf("with %v full batches, want %v", said, want)
	}
}

// Tasks that submit themselves again: each turn runs one batch of a backlog that is never empty.
func TestABacklogThatIsNeverEmptyNeitherGrowsNorAllocates(t *testing.T) {
	for _, n := range []int{BatchSize + 1, 4 * BatchSize, 5000, 10*BatchSize + 7} {
		var in Inbox
		var out Backlog
		for range n {
			in.Push(nil)
		}
		turn := func() {
			out.Take(&in)
			for ran := 0; ran < BatchSize && out.Next(); {
				for ran += out.Ready(); out.Ready() > 0; {
					in.Push(out.Pop())
				}
			}
		}
		for range 100 {
			turn()
		}
		before := in.Cap() + out.Cap()
		if allocated := testing.AllocsPerRun(1000, turn); allocated != 0 {
			t.Errorf("%d tasks: %v allocations a turn", n, allocated)
		}
		if after := in.Cap() + out.Cap(); after > before || after > n+(2*SpareBatches+4)*BatchSize {
			t.Errorf("%d tasks: %d words after a hundred turns, %d after a thousand more", n, before, after)
		}
	}
}
