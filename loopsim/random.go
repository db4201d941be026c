package loopsim

import (
	"hash/fnv"
	"math/bits"
	"math/rand/v2"
	"time"
)

// A draws is random numbers that are the same on all machines (SplitMix64). Each purpose has draws of its own, so that a fault
// that is left out changes nothing about the others. The 2^64 numbers of next are all different.
type draws struct{ state uint64 }

// newDraws is the draws for a purpose under a seed.
func newDraws(seed uint64, purpose string) draws {
	h := fnv.New64a()
	_, _ = h.Write([]byte(purpose))
	s := draws{seed}
	return draws{s.next() ^ h.Sum64()}
}

func (s *draws) next() uint64 {
	s.state += 0x9e3779b97f4a7c15
	x := s.state
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// below is a number from 0 to n-1, or 0.
func (s *draws) below(n int64) int64 {
	if n <= 0 {
		return 0
	}
	hi, _ := bits.Mul64(s.next(), uint64(n))
	return int64(hi)
}

// oneIn reports true once in n times.
func (s *draws) oneIn(n int64) bool { return s.below(n) == 0 }

// around is a time with the mean d: mostly below twice that, and seldom up to twenty times as long.
func (s *draws) around(d time.Duration) int64 {
	t := s.below(2 * int64(d))
	if s.oneIn(256) {
		t *= 10
	}
	return t
}

// rand makes the random source of a program.
func (s *draws) rand() *rand.Rand { return rand.New(rand.NewPCG(s.next(), s.next())) }
