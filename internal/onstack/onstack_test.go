package onstack

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
)

func TestDigitsDiffer(t *testing.T) {
	all := append(next[:], last[:]...)
	slices.Sort(all)
	if n := len(slices.Compact(all)); n != 32 { // last[0] is none
		t.Fatalf("%d different places of 32", n)
	}
}

func TestAMarkIsHereInsideItsCallsOnly(t *testing.T) {
	for _, m := range []Mark{1, 2, 15, 16, 17, 31, 32, 255, 256, 4096, 65537, 1<<32 - 1, 1<<64 - 1} {
		if m.Here() {
			t.Errorf("%d is here outside of its call", m)
		}
		m.Call(func() {
			if !m.Here() {
				t.Errorf("%d is not here", m)
			}
			for _, other := range []Mark{0, 1, 2, 16, m / 16, m % 16, m + 1, m * 16, m*16 + 1, m + 16} {
				if other != m && other.Here() {
					t.Errorf("%d is here inside %d", other, m)
				}
			}
			done := make(chan bool)
			go func() { done <- m.Here() }()
			if <-done {
				t.Errorf("%d is here on another goroutine", m)
			}
		})
	}
}

// below calls fn so many calls deeper.
//
//go:noinline
func below(n int, fn func()) {
	if n == 0 {
		fn()
		return
	}
	below(n-1, fn)
}

func TestMarksInsideEachOtherAreAllHere(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var inside []Mark
		var descend func()
		descend = func() {
			for _, m := range inside {
				if !m.Here() {
					t.Fatalf("%d of %v is not here", m, inside)
				}
			}
			for range 5 {
				if m := Mark(random.IntN(300)); m.Here() != slices.Contains(inside, m) {
					t.Fatalf("%d inside %v: Here says %v", m, inside, m.Here())
				}
			}
			if len(inside) < 6 {
				m := Mark(1 + random.IntN(300))
				inside = append(inside, m)
				m.Call(func() { below(random.IntN(100), descend) })
			}
		}
		descend()
	}
}

func TestAMarkIsHereInDeferredFunctionsOfAPanicAndOfGoexit(t *testing.T) {
	m := New()
	func() {
		defer func() { _ = recover() }()
		m.Call(func() {
			defer func() {
				if !m.Here() {
					t.Error("it is not here beside a panic")
				}
			}()
			panic("on purpose")
		})
	}()
	if m.Here() {
		t.Error("it is here after a panic that was recovered")
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		m.Call(func() {
			defer func() {
				if !m.Here() {
					t.Error("it is not here beside Goexit")
				}
			}()
			runtime.Goexit()
		})
	}()
	<-done
}

func TestNewGivesEachMarkOnce(t *testing.T) {
	var all sync.Map
	var done sync.WaitGroup
	for range 8 {
		done.Go(func() {
			for range 1000 {
				if m := New(); m == 0 {
					t.Error("the zero mark was given")
				} else if _, given := all.LoadOrStore(m, true); given {
					t.Errorf("%d was given twice", m)
				}
			}
		})
	}
	done.Wait()
}

func BenchmarkCall(b *testing.B) {
	m := New()
	for range b.N {
		m.Call(func() {})
	}
}

func BenchmarkHere(b *testing.B) {
	m := New()
	for _, depth := range []int{0, 20, 60} {
		b.Run(map[int]string{0: "0", 20: "20", 60: "60"}[depth], func(b *testing.B) {
			below(depth, func() {
				for range b.N {
					m.Here()
				}
			})
		})
	}
}
