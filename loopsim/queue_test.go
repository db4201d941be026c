package loopsim

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The order must not depend on how the heap is made. It is total because no two events of a world have the same tie.
func TestEventsHappenInOneOrderHoweverTheyArePushed(t *testing.T) {
	ties := newDraws(1, "ties")
	events := make([]event, 2000)
	for i := range events {
		events[i] = event{at: int64(i / 500), tie: ties.next()}
	}
	var want []uint64
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 20 {
		random.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
		var q queue
		var got []uint64
		for _, e := range events {
			q.push(e)
		}
		for q.Len() > 0 {
			got = append(got, q.pop().tie)
		}
		if round == 0 {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Fatalf("round %d: another order", round)
		}
	}
}

func TestDrawsDoNotRepeat(t *testing.T) {
	// Each step of next can be taken back, so 2^64 draws differ.
	s := newDraws(7, "ties")
	for range 10_000 {
		before := s.state
		x := s.next()
		x ^= x>>31 ^ x>>62
		x *= inverse(0x94d049bb133111eb)
		x ^= x>>27 ^ x>>54
		x *= inverse(0xbf58476d1ce4e5b9)
		x ^= x>>30 ^ x>>60
		if x-0x9e3779b97f4a7c15 != before {
			t.Fatalf("%x is not taken back to %x", x, before)
		}
	}
}

// inverse is the number with which an odd number gives 1, modulo 2^64.
func inverse(n uint64) uint64 {
	x := n
	for range 6 {
		x *= 2 - n*x
	}
	return x
}
