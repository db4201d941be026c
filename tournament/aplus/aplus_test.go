package aplus_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/tournament/aplus"
)

// run runs the suite in a bubble, where its timers take no time.
func run(t *testing.T, make func(*eventloop.Loop) aplus.Implementation) (report *aplus.Report) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var err error
		if report, err = aplus.Run(context.Background(), make); err != nil {
			t.Fatal(err)
		}
	})
	return report
}

func TestTheDynamicPromisePassesTheWholePromisesAPlusSuite(t *testing.T) {
	report := run(t, aplus.Dynamic)
	for _, f := range report.Failures {
		t.Errorf("%s\n\t%s", f.Test, f.Reason)
	}
	if report.Passed != aplus.Tests {
		t.Errorf("%d tests passed, want %d", report.Passed, aplus.Tests)
	}
	t.Logf("%d of %d passed", report.Passed, aplus.Tests)
}

// The runner must be able to fail: faulty promises show that.
func TestTheSuiteFindsFaults(t *testing.T) {
	for name, make := range map[string]func(*eventloop.Loop) aplus.Implementation{
		"handlers run at once":       func(l *eventloop.Loop) aplus.Implementation { return &faulty{loop: l, eager: true} },
		"thenables are not followed": func(l *eventloop.Loop) aplus.Implementation { return &faulty{loop: l, opaque: true} },
		"handlers run twice":         func(l *eventloop.Loop) aplus.Implementation { return &faulty{loop: l, again: true} },
	} {
		t.Run(name, func(t *testing.T) {
			report := run(t, make)
			if len(report.Failures) == 0 || report.Passed == 0 {
				t.Fatalf("%d passed, %d failed", report.Passed, len(report.Failures))
			}
			if report.Passed+len(report.Failures) != aplus.Tests {
				t.Fatalf("%d passed, %d failed, together not %d", report.Passed, len(report.Failures), aplus.Tests)
			}
			t.Logf("%d passed, %d failed", report.Passed, len(report.Failures))
		})
	}
}

// faulty wraps the product's promise and breaks one thing.
type faulty struct {
	loop                 *eventloop.Loop
	eager, opaque, again bool
}

func (f *faulty) Deferred() (aplus.Promise, func(any), func(any)) {
	p, resolve, reject := aplus.Dynamic(f.loop).Deferred()
	fp := &faultyPromise{f: f, p: p}
	return fp, func(v any) {
		if f.opaque {
			if _, ok := v.(aplus.Thenable); ok {
				v = 1
			}
		}
		if q, ok := v.(*faultyPromise); ok {
			v = q.p
		}
		fp.value = v
		resolve(v)
	}, reject
}

type faultyPromise struct {
	f     *faulty
	p     aplus.Promise
	value any
}

func (p *faultyPromise) Then(fulfilled, rejected aplus.Handler) aplus.Promise {
	inner := func(h aplus.Handler) aplus.Handler {
		if h == nil {
			return nil
		}
		return func(v any) (any, bool) {
			r, threw := h(v)
			if q, ok := r.(*faultyPromise); ok {
				r = q.p
			}
			return r, threw
		}
	}
	if p.f.eager && fulfilled != nil && p.value != nil {
		fulfilled(p.value)
	}
	if p.f.again && fulfilled != nil {
		h := fulfilled
		fulfilled = func(v any) (any, bool) { h(v); return h(v) }
	}
	return &faultyPromise{f: p.f, p: p.p.Then(inner(fulfilled), inner(rejected))}
}

func TestARunThatDoesNotEndStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	_, err := aplus.Run(ctx, func(l *eventloop.Loop) aplus.Implementation {
		var again func()
		again = func() { _ = l.ScheduleMicrotask(again) }
		_ = l.ScheduleMicrotask(func() { cancel(); again() })
		return aplus.Dynamic(l)
	})
	if !errors.Is(err, eventloop.ErrLoopClosed) {
		t.Fatalf("got %v", err)
	}
}

func TestTheSuiteIsThePublishedOne(t *testing.T) {
	list, err := os.ReadFile("suite.sha256")
	if err != nil {
		t.Fatal(err)
	}
	listed := 0
	for line := range strings.Lines(string(list)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		b, err := os.ReadFile(filepath.Join("suite", name))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(b)); got != sum {
			t.Errorf("%s: SHA-256 %s, want %s", name, got, sum)
		}
		listed++
	}
	found := 0
	if err := filepath.WalkDir("suite", func(_ string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			found++
		}
		return err
	}); err != nil || found != listed {
		t.Errorf("%d files, %d listed, error %v", found, listed, err)
	}
}
