//go:build unix

package workload_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

// A watcher is a loop whose way to watch has a fault.
type watcher struct {
	contestant.Loop
	watch func(fd int, ready func()) (stop func() error, err error)
}

func (l *watcher) WatchReadable(fd int, ready func()) (stop func() error, err error) {
	return l.watch(fd, ready)
}

// watching enters Main with another way to watch. A trial that fails leaves its loop behind; here it ends with the test.
func watching(t *testing.T, fault func(loop contestant.Descriptors, fd int, ready func()) (func() error, error)) contestant.Contestant {
	base := find(t, "Main")
	return contestant.Contestant{Name: "Faulty", New: func() (contestant.Loop, error) {
		loop, err := base.New()
		if err != nil {
			return nil, err
		}
		t.Cleanup(func() { _ = loop.Shutdown(context.Background()) })
		return &watcher{loop, func(fd int, ready func()) (func() error, error) {
			return fault(loop.(contestant.Descriptors), fd, ready)
		}}, nil
	}}
}

func TestDescriptorWorkloadsPassOnThatALoopDoesNotWatch(t *testing.T) {
	refused := errors.New("refused")
	c := watching(t, func(contestant.Descriptors, int, func()) (func() error, error) { return nil, refused })
	for _, w := range workload.Descriptors() {
		if _, err := w.Sample(c, max(w.Burst, 10), patience); !errors.Is(err, refused) {
			t.Errorf("%s: %v", w.Name, err)
		}
	}
}

func TestDescriptorWorkloadsPassOnThatALoopDoesNotStop(t *testing.T) {
	failed := errors.New("failed")
	c := watching(t, func(loop contestant.Descriptors, fd int, ready func()) (func() error, error) {
		stop, err := loop.WatchReadable(fd, ready)
		return func() error { return errors.Join(stop(), failed) }, err
	})
	for _, w := range workload.Descriptors() {
		if _, err := w.Sample(c, max(w.Burst, 10), patience); !errors.Is(err, failed) {
			t.Errorf("%s: %v", w.Name, err)
		}
	}
}

func TestDescriptorWorkloadsDoNotCountCallsForNothing(t *testing.T) {
	c := watching(t, func(loop contestant.Descriptors, fd int, ready func()) (func() error, error) {
		return loop.WatchReadable(fd, func() { ready(); ready() })
	})
	for _, w := range workload.Descriptors() {
		if _, err := w.Sample(c, max(w.Burst, 10), patience); err != nil {
			t.Errorf("%s: %v", w.Name, err)
		}
	}
}

func TestDescriptorWorkloadsCatchALoopThatDoesNotCall(t *testing.T) {
	for _, w := range workload.Descriptors() {
		if w.Name == workload.DescriptorSubmit.Name {
			continue // nothing becomes ready
		}
		t.Run(w.Name, func(t *testing.T) {
			var deaf atomic.Bool // until the test is over, because the workload waits
			deaf.Store(true)
			var watches sync.WaitGroup
			watches.Add(1) // the sample
			c := watching(t, func(l contestant.Descriptors, fd int, ready func()) (func() error, error) {
				watches.Add(1)
				stop, err := l.WatchReadable(fd, func() {
					if !deaf.Load() {
						ready()
					}
				})
				return func() error { watches.Done(); return stop() }, err
			})
			_, err := w.Sample(c, max(w.Burst, 10), impatience)
			if !errors.Is(err, workload.ErrHangs) || !strings.Contains(err.Error(), "lost") {
				t.Errorf("%v", err)
			}
			deaf.Store(false)
			watches.Done()
			watches.Wait()
		})
	}
}
