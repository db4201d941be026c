package coarselock

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"runtime"
	"strings"
	"testing"
)

// run runs the loop on a goroutine of its own.
func run(l *Loop) <-chan error {
	ended := make(chan error, 1)
	go func() { ended <- l.Run(context.Background()) }()
	return ended
}

func TestABrokenInvariantIsNamedAndEndsTheLoop(t *testing.T) {
	for _, test := range []struct {
		invariant string
		corrupt   func(l *Loop)
	}{
		{conservation, func(l *Loop) { l.external.tasks = nil; l.external.head = 0; l.books.accepted++ }},
		{conservation, func(l *Loop) { l.books.ran++ }},
		{legalTransition, func(l *Loop) { l.become(created) }},
		{emptyEnd, func(l *Loop) { l.state = ended; l.verify("test"); l.state = running }},
		{oneAtATime, func(l *Loop) { l.books.inside, l.books.accepted = true, l.books.accepted+1 }},
	} {
		l := New(Options{})
		inside, corrupted := make(chan struct{}), make(chan struct{})
		if err := l.Submit(func() { close(inside); <-corrupted }); err != nil {
			t.Fatal(err)
		}
		if err := l.Submit(func() {}); err != nil {
			t.Fatal(err)
		}
		if test.invariant == oneAtATime { // a step while a task is inside cannot be brought about from within one
			l.mu.Lock()
			test.corrupt(l)
			l.mu.Unlock()
		}
		ended := run(l)
		if test.invariant != oneAtATime {
			<-inside
			l.mu.Lock()
			test.corrupt(l)
			l.mu.Unlock()
		}
		close(corrupted)
		var broken *InvariantError
		if err := <-ended; !errors.As(err, &broken) || broken.Invariant != test.invariant || !strings.Contains(err.Error(), test.invariant) {
			t.Errorf("%s: Run returned %v", test.invariant, err)
		}
		for name, err := range map[string]error{
			"Submit":   l.Submit(func() {}),
			"Shutdown": l.Shutdown(context.Background()),
		} {
			if !errors.As(err, &broken) {
				t.Errorf("%s: %s returned %v", test.invariant, name, err)
			}
		}
	}
}

func TestDiagnosticsAreSilentUnlessAskedFor(t *testing.T) {
	var said bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&said, &slog.HandlerOptions{Level: slog.LevelDebug})))
	defer slog.SetDefault(before)
	for _, o := range []Options{{}, {Diagnostics: slog.Default()}} {
		l := New(o)
		ended := run(l)
		if err := l.Submit(func() {}); err != nil {
			t.Fatal(err)
		}
		if err := l.Shutdown(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		asked := o.Diagnostics != nil
		if got := strings.Contains(said.String(), "to=stopping") && strings.Contains(said.String(), "step"); got != asked {
			t.Errorf("asked for diagnostics: %v, said %q", asked, said.String())
		}
	}
}

func TestATaskThatEndsItsGoroutineEndsNothingElse(t *testing.T) {
	l := New(Options{})
	ran := 0
	for i := range 10 {
		if err := l.Submit(func() {
			if ran++; i%3 == 0 {
				runtime.Goexit()
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	run(l)
	if err := l.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	if ran != 10 {
		t.Errorf("%d of 10 tasks ran", ran)
	}
}

func TestALoopRunsOnce(t *testing.T) {
	l := New(Options{})
	ended := run(l)
	if err := l.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	<-ended
	if err := l.Run(context.Background()); !errors.Is(err, ErrRunning) {
		t.Errorf("the second Run returned %v", err)
	}
}

func TestQueuesKeepOrderAndGiveMemoryBack(t *testing.T) {
	var q fifo
	next, popped := 0, 0
	ran := -1
	for round := range 50 {
		for range 1000 * (round%7 + 1) {
			n := next
			q.push(func() { ran = n })
			next++
		}
		for q.len() > 500*(round%3) {
			if q.pop()(); ran != popped {
				t.Fatalf("task %d came out as number %d", ran, popped)
			}
			popped++
		}
	}
	for q.pop() != nil {
		popped++
	}
	if popped != next || cap(q.tasks) > keep {
		t.Errorf("%d of %d tasks came out, capacity %d", popped, next, cap(q.tasks))
	}
}
