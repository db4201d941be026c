package workload_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/tournament/promises"
	"github.com/eventloop-go/eventloop/tournament/promises/design"
	"github.com/eventloop-go/eventloop/tournament/promises/lockinline"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

func TestEveryPromiseCategoryRunsOnEveryDesign(t *testing.T) {
	for _, w := range workload.AllPromises() {
		for _, d := range promises.All() {
			t.Run(w.Name+"/"+d.Name, func(t *testing.T) {
				if reason, err := w.Applicable(d); reason != "" || err != nil {
					t.Fatalf("%q, %v", reason, err)
				}
				for _, n := range []int{1, 7, 2*w.Burst + 3, 100} {
					s, err := w.Sample(d, n, patience)
					if err != nil {
						t.Fatalf("%d operations: %v", n, err)
					}
					if s.N != n || s.NsPerOp <= 0 || s.Elapsed <= 0 || s.AllocsPerOp < 1 {
						t.Errorf("%d operations: implausible sample %+v", n, s)
					}
				}
			})
		}
	}
}

func TestPromiseCategoriesReportHowManyHandlersRan(t *testing.T) {
	handlers := map[string]float64{
		"Tournament_Drained": 2, "ChainDepth_Drained/10": 10, "ChainDepth_Drained/100": 100, "ChainCreation_Depth100_Drained": 100,
		"CheckResolved_Overhead_Drained": 1, "FanOut_100_Drained": 100, "Race_100_Drained": 1,
	} // and none in the published ones
	for _, w := range workload.AllPromises() {
		s, err := w.Sample(lockinline.Design, 70, patience)
		if got, ok := s.Metrics[workload.HandlersPerOp]; err != nil || !ok || got != handlers[w.Name] {
			t.Errorf("%s: %v handlers in an operation, want %v (%v)", w.Name, got, handlers[w.Name], err)
		}
	}
}

func TestEveryPromiseTwinNamesThePublishedCategoryThatItCorrects(t *testing.T) {
	published := make(map[string]bool)
	for _, w := range workload.PublishedPromises() {
		published[w.Name] = true
		if w.Kind != result.KindPromise || w.TwinOf != "" || w.About == "" {
			t.Errorf("%s is not described as published", w.Name)
		}
	}
	corrected := make(map[string]bool)
	for _, w := range workload.PromiseTwins() {
		corrected[w.TwinOf] = true
		if w.Kind != result.KindTwin || !published[w.TwinOf] || published[w.Name] || w.About == "" {
			t.Errorf("%s: kind %q, twin of %q", w.Name, w.Kind, w.TwinOf)
		}
	}
	if len(published) != 7 || len(corrected) != 7 {
		t.Errorf("%d published categories and %d with a twin, want 7", len(published), len(corrected))
	}
}

// A faulty engine is a rival with a fault in how it attaches.
type faulty struct {
	design.Engine
	attach func(e design.Engine, p design.Promise, fulfilled design.Handler, rejected design.ErrorHandler) design.Promise
}

func (f faulty) Then(p design.Promise, fulfilled design.Handler, rejected design.ErrorHandler) design.Promise {
	return f.attach(f.Engine, p, fulfilled, rejected)
}

func (f faulty) Race(promises []design.Promise) design.Promise {
	return f.Engine.(design.Racer).Race(promises)
}

// breakDesign enters a rival whose forty-first handler is treated by fault.
func breakDesign(fault func(design.Handler) design.Handler) design.Design {
	return design.Design{Name: "Broken", New: func(loop *eventloop.Loop) design.Engine {
		n := 0
		return faulty{lockinline.Design.New(loop), func(e design.Engine, p design.Promise, fulfilled design.Handler, rejected design.ErrorHandler) design.Promise {
			if n++; n == 41 {
				fulfilled = fault(fulfilled)
			}
			return e.Then(p, fulfilled, rejected)
		}}
	}}
}

func TestEveryPromiseTwinCatchesFaultyHandlers(t *testing.T) {
	for _, c := range []struct {
		fault, want string
		handler     func(design.Handler) design.Handler
	}{
		{"lost", "lost", func(design.Handler) design.Handler { return nil }},
		{"called twice", "more than once", func(h design.Handler) design.Handler {
			return func(v any) (any, error) { _, _ = h(v); return h(v) }
		}},
		{"fed with another value", "another value", func(h design.Handler) design.Handler {
			return func(any) (any, error) { return h(200) }
		}},
	} {
		for _, w := range workload.PromiseTwins() {
			t.Run(c.fault+"/"+w.Name, func(t *testing.T) {
				_, err := w.Sample(breakDesign(c.handler), 100, patience)
				var he *workload.HandlerError
				if !errors.As(err, &he) || !strings.Contains(err.Error(), c.want) {
					t.Errorf("got %v", err)
				}
			})
		}
	}
}

func TestFanOutCatchesHandlersOutOfOrder(t *testing.T) {
	d := design.Design{Name: "Broken", New: func(loop *eventloop.Loop) design.Engine {
		var held design.Handler // the handler before, while it waits for the next to overtake it
		return faulty{lockinline.Design.New(loop), func(e design.Engine, p design.Promise, fulfilled design.Handler, rejected design.ErrorHandler) design.Promise {
			if held == nil {
				held = fulfilled
				return p
			}
			e.Then(p, fulfilled, rejected)
			before := held
			held = nil
			return e.Then(p, before, rejected)
		}}
	}}
	w := workload.FanOutDrained
	if _, err := w.Sample(d, 10, patience); err == nil || !strings.Contains(err.Error(), "out of order") {
		t.Errorf("got %v", err)
	}
}

// A hoarder keeps every promise.
type hoarder struct {
	faulty
	all []design.Promise
}

func (h *hoarder) Pending() (design.Promise, design.Resolver) {
	p, r := h.faulty.Pending()
	h.all = append(h.all, p)
	return p, r
}

func TestEveryPromiseTwinCatchesADesignThatKeepsItsPromises(t *testing.T) {
	d := design.Design{Name: "Hoarder", New: func(loop *eventloop.Loop) design.Engine {
		h := &hoarder{}
		h.faulty = faulty{lockinline.Design.New(loop), func(e design.Engine, p design.Promise, fulfilled design.Handler, rejected design.ErrorHandler) design.Promise {
			child := e.Then(p, fulfilled, rejected)
			h.all = append(h.all, p, child)
			return child
		}}
		return h
	}}
	for _, w := range workload.PromiseTwins() {
		t.Run(w.Name, func(t *testing.T) {
			n := 1_000 // operations with a hundred promises
			if w.Burst > 0 || strings.HasSuffix(w.Name, "/10") {
				n = 50_000
			}
			_, err := w.Sample(d, n, patience)
			var growth *workload.GrowthError
			if !errors.As(err, &growth) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestADesignWithoutRaceIsNotApplicableToRaces(t *testing.T) {
	type noRace struct{ design.Engine }
	d := design.Design{Name: "Slow", New: func(loop *eventloop.Loop) design.Engine {
		return noRace{lockinline.Design.New(loop)}
	}}
	for _, w := range workload.AllPromises() {
		reason, err := w.Applicable(d)
		if want := strings.HasPrefix(w.Name, "Race"); err != nil || want != (reason == "needs race") || !want && reason != "" {
			t.Errorf("%s: %q, %v", w.Name, reason, err)
		}
	}
}

func TestADesignThatHangsOrPanicsIsReported(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	w := workload.PromiseTournamentDrained
	for want, attach := range map[string]func(){
		"not done in time": func() { <-release },
		"no such luck":     func() { panic("no such luck") },
	} {
		d := design.Design{Name: "Broken", New: func(loop *eventloop.Loop) design.Engine {
			return faulty{lockinline.Design.New(loop), func(e design.Engine, p design.Promise, _ design.Handler, _ design.ErrorHandler) design.Promise {
				attach()
				return p
			}}
		}}
		if _, err := w.Sample(d, 1, impatience); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
