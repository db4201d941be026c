package promises_test

import (
	"runtime"
	"strconv"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/raceflag"
	"github.com/eventloop-go/eventloop/tournament/promises/design"
	"github.com/eventloop-go/eventloop/tournament/promises/registry"
)

// The allocations stated by the designs are right.
func TestAThenInAChainAllocatesWhatTheDesignSays(t *testing.T) {
	if raceflag.Enabled {
		t.Skip("the race detector allocates")
	}
	if strconv.IntSize == 32 {
		t.Skip("sizes are those of 64-bit pointers")
	}
	want := map[string]float64{"ChainedPromise": 1, "PromiseAltOne": 1, "PromiseAltTwo": 2, "PromiseAltThree": 2}
	each(t, func(t *testing.T, d design.Design) {
		allocs, ok := want[d.Name]
		if !ok {
			t.Skip("says only that it is heavy")
		}
		drain(t, d, func(_ *eventloop.Loop, e design.Engine) {
			p, _ := e.Pending()
			handler := func(v any) (any, error) { return v, nil }
			if got := testing.AllocsPerRun(1000, func() { p = e.Then(p, handler, nil) }); got != allocs {
				t.Errorf("%v allocations, want %v", got, allocs)
			}
		})
	})
}

// A settled promise keeps no handler that has run, and nothing that a handler holds.
func TestHandlersThatHaveRunAreLetGo(t *testing.T) {
	each(t, func(t *testing.T, d design.Design) {
		freed := make(chan struct{}, 3)
		loop := beside(t)
		e := d.New(loop)
		p, r := e.Pending()
		for range cap(freed) {
			attachLarge(e, p, freed)
		}
		r.Resolve(1)
		do(t, loop, func() {})
		for range cap(freed) {
			for len(freed) == 0 {
				runtime.GC()
				runtime.Gosched()
			}
			<-freed
		}
		runtime.KeepAlive(p)
	})
}

// attachLarge attaches a handler that holds an object whose collection is signalled.
func attachLarge(e design.Engine, p design.Promise, freed chan struct{}) {
	large := new([1 << 16]byte)
	runtime.AddCleanup(large, func(c chan struct{}) { c <- struct{}{} }, freed)
	e.Then(p, func(any) (any, error) { return len(large), nil }, nil)
}

func TestTheRegistryListsWhatIsUnsettledAndForgetsWhatIsDropped(t *testing.T) {
	loop := newLoop()
	r := registry.New(loop)
	kept, resolver := r.Pending()
	for range 1000 {
		r.Pending() // and dropped
	}
	for len(r.Unsettled()) > 1 {
		runtime.GC()
	}
	if list := r.Unsettled(); len(list) != 1 || design.Promise(list[0]) != kept {
		t.Errorf("%d promises are listed", len(list))
	}
	resolver.Resolve(1)
	if list := r.Unsettled(); len(list) != 0 {
		t.Errorf("%d promises are listed after the last one settled", len(list))
	}
	if list := registry.New(loop).Unsettled(); list != nil {
		t.Error("an empty registry lists something")
	}
}
