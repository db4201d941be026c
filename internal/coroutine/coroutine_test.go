package coroutine

import (
	"maps"
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
	defer g.End()
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

func TestACoroutineIsInsideItsOwnGroup(t *testing.T) {
	var g, other Group
	defer g.End()
	defer other.End()
	g.Open()
	other.Open()
	main := func(in, notIn *Group) func() {
		return func() {
			deep(1000, func() {
				if !in.Inside() || notIn.Inside() {
					t.Error("a coroutine is taken for one of another group")
				}
			})
		}
	}
	var first, second Coroutine
	first.Start(&g, body{main: main(&g, &other)})
	second.Start(&other, body{main: main(&other, &g)})
	if g.Inside() || other.Inside() {
		t.Error("the owner is taken for a coroutine")
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
	defer g.End()
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
	defer g.End()
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
	defer g.End()
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
	defer g.End()
	g.Open()
	var c Coroutine
	c.Start(&g, body{main: func() {
		if !lockedToThread() {
			t.Error("a coroutine of a locked goroutine is taken for free")
		}
	}})
}

func TestAGoroutineServesOneCoroutineAfterAnother(t *testing.T) {
	var g Group
	g.Open()
	run := func(n int, main func(*Coroutine)) map[*worker]bool {
		used := map[*worker]bool{}
		cs := make([]Coroutine, n)
		for i := range cs {
			c := &cs[i]
			c.Start(&g, body{main: func() {
				used[c.on] = true
				main(c)
			}})
		}
		for i := range cs {
			if cs[i].group != nil {
				cs[i].Resume()
			}
		}
		return used
	}
	first := run(3, (*Coroutine).Suspend)
	if second := run(3, (*Coroutine).Suspend); len(first) != 3 || !maps.Equal(first, second) || g.resting != 3 {
		t.Errorf("%d goroutines, then %d, of which %d rest", len(first), len(second), g.resting)
	}
	if n := len(run(3, func(*Coroutine) {})); n != 1 {
		t.Errorf("three coroutines that do not wait need %d goroutines", n)
	}
	if run(2*mostResting, (*Coroutine).Suspend); g.resting != mostResting {
		t.Errorf("after many, %d rest", g.resting)
	}
	if run(1, func(*Coroutine) { runtime.Goexit() }); g.resting != mostResting-1 {
		t.Errorf("after Goexit, %d rest", g.resting)
	}
	g.End() // leaves none, which the check after the tests would find
}
