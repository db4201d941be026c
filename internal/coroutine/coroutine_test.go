package coroutine

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/eventloop-go/eventloop/internal/leakcheck"
)

func TestMain(m *testing.M) { leakcheck.Main(m) }

// A body is made of two functions.
type body struct{ main, unwind func() }

func (b body) Main()   { b.main() }
func (b body) Unwind() { b.unwind() }

func TestACoroutineRunsUntilItSuspendsAndGoesOnWhenResumed(t *testing.T) {
	var g Group
	g.Open()
	var c Coroutine
	var log []int
	c.Start(&g, body{main: func() {
		for i := range 3 {
			log = append(log, i)
			if !c.Running() || !g.Inside() {
				t.Error("it does not know itself")
			}
			c.Suspend()
		}
	}})
	for i := range 3 {
		if len(log) != i+1 {
			t.Fatalf("log %v after %d switches", log, i+1)
		}
		if c.Running() || g.Inside() || g.first != &c {
			t.Error("the owner is taken for the coroutine")
		}
		c.Resume()
	}
	if g.first != nil || g.last != nil || g.current != nil || c.Running() {
		t.Error("the group is not empty")
	}
}

func TestTheStackSpellsTheNumberOfTheGroup(t *testing.T) {
	for _, n := range []uint64{1, 2, 3, 5, 6, 1 << 20, 0xdeadbeef, math.MaxUint64, 1 << 63} {
		var g, other Group
		g.Open()
		g.number.Store(n)
		other.number.Store(n ^ 1)
		var c Coroutine
		var got uint64
		c.Start(&g, body{main: func() {
			deep(1000, func() { got = innermost() })
			if !g.Inside() || other.Inside() {
				t.Errorf("%d: Inside is wrong", n)
			}
		}})
		if got != n {
			t.Errorf("the stack says %d, want %d", got, n)
		}
	}
	if n := innermost(); n != 0 {
		t.Errorf("the test's stack says %d", n)
	}
}

//go:noinline
func deep(n int, fn func()) {
	if n == 0 {
		fn()
		return
	}
	deep(n-1, fn)
}

func TestGoexitEndsTheCoroutineAlone(t *testing.T) {
	var g Group
	g.Open()
	deferred, resumed := 0, 0
	for range 5 {
		var c Coroutine
		c.Start(&g, body{main: func() {
			defer func() { deferred++ }()
			c.Suspend()
			runtime.Goexit()
		}})
		c.Resume()
		resumed++
	}
	if deferred != 5 || resumed != 5 || g.first != nil {
		t.Errorf("deferred %d, resumed %d, left %v", deferred, resumed, g.first)
	}
}

func TestCoroutinesNest(t *testing.T) {
	var g Group
	g.Open()
	var outer, inner Coroutine
	outer.Start(&g, body{main: func() {
		inner.Start(&g, body{main: func() {
			if outer.Running() || !inner.Running() {
				t.Error("the inner one runs")
			}
			inner.Suspend()
		}})
		if !outer.Running() || inner.Running() {
			t.Error("the outer one runs")
		}
		outer.Suspend()
		inner.Resume()
	}})
	outer.Resume()
	if g.first != nil {
		t.Error("something is left")
	}
}

func TestEndUnwindsInTheOrderOfStart(t *testing.T) {
	var g Group
	g.Open()
	var order []int
	cs := make([]Coroutine, 5)
	for i := range cs {
		c := &cs[i]
		c.Start(&g, body{
			main:   func() { c.Suspend(); order = append(order, i) },
			unwind: func() { c.Resume() },
		})
	}
	cs[2].Resume()
	g.End()
	if !slices.Equal(order, []int{2, 0, 1, 3, 4}) || g.IsOpen() {
		t.Errorf("order %v", order)
	}
}

func TestAGoroutineKnowsWhetherItIsLockedToItsThread(t *testing.T) {
	if lockedToThread() {
		t.Error("it is taken for locked")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if !lockedToThread() {
		t.Error("it is taken for free")
	}
	var g Group
	g.Open()
	var c Coroutine
	c.Start(&g, body{main: func() {
		if !lockedToThread() {
			t.Error("a coroutine of a locked goroutine is taken for free")
		}
	}})
}
