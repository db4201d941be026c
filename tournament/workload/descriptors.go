package workload

import (
	"errors"
	"time"

	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/internal/stopwatch"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// Descriptors returns the categories of loops that watch descriptors. None of them was published.
func Descriptors() []Workload {
	return []Workload{DescriptorDispatch, DescriptorDispatchAsleep, DescriptorDispatchThousand, DescriptorSubmit, DescriptorEcho}
}

var needsDescriptors = []contestant.Capability{contestant.HasDescriptors}

// DescriptorDispatch is one descriptor that becomes ready again and again.
var DescriptorDispatch = Workload{
	Name:  "DescriptorDispatch",
	Kind:  result.KindDescriptor,
	About: "a byte is written to a pipe that the loop watches; the time until the writer has the answer of the callback that reads it",
	Needs: needsDescriptors,
	Run: func(t *Trial) error {
		answer := make(chan struct{}, 1)
		w, err := t.watch(1, openPipe, func(own int) {
			if readOne(own) {
				t.emptyRan++
				answer <- struct{}{}
			}
		})
		if err != nil {
			return err
		}
		t.Start()
		for range t.N {
			if err := writeOne(w.peers[0]); err != nil {
				return err
			}
			<-answer
		}
		t.Stop()
		t.Submitted(t.N)
		return w.close()
	},
}

// DescriptorDispatchAsleep is DescriptorDispatch with a loop that sleeps, as most that wait for descriptors do.
var DescriptorDispatchAsleep = Workload{
	Name:  "DescriptorDispatch_Asleep",
	Kind:  result.KindDescriptor,
	About: "a byte is written to a pipe that the loop watches, after the loop was left alone for 2 ms and used no processor in that time; the median of the times from the write until its callback runs",
	Needs: needsDescriptors,
	Run: func(t *Trial) error {
		began := stopwatch.Now()
		ran := make(chan time.Duration, 1)
		w, err := t.watch(1, openPipe, func(own int) {
			if at := stopwatch.Since(began); readOne(own) {
				t.emptyRan++
				ran <- at
			}
		})
		if err != nil {
			return err
		}
		err = t.wake(t.N, func(int) (time.Duration, error) {
			written := stopwatch.Since(began)
			if err := writeOne(w.peers[0]); err != nil {
				return 0, err
			}
			t.Submitted(1)
			return <-ran - written, nil
		})
		if err != nil {
			return err
		}
		return w.close()
	},
}

// thousand is how many descriptors become ready at once.
const thousand = 1000

// DescriptorDispatchThousand is many descriptors that are ready at the same time.
var DescriptorDispatchThousand = Workload{
	Name:  "DescriptorDispatchThousand",
	Kind:  result.KindDescriptor,
	About: "a task writes a byte to each of 1,000 pipes that its loop watches; the time from its last write until the last callback has read, for one of them",
	Needs: needsDescriptors,
	Burst: thousand,

	WholeBursts: true,
	Run: func(t *Trial) error {
		left := 0 // the loop's, as the next two
		var began stopwatch.Reading
		var took time.Duration
		done := make(chan error, 1)
		w, err := t.watch(thousand, openPipe, func(own int) {
			if !readOne(own) {
				return
			}
			t.emptyRan++
			if left--; left == 0 {
				took += stopwatch.Since(began)
				done <- nil
			}
		})
		if err != nil {
			return err
		}
		task := func() {
			t.emptyRan++
			left = thousand
			for _, peer := range w.peers {
				if err := writeOne(peer); err != nil {
					done <- err
					return
				}
			}
			began = stopwatch.Now()
		}
		t.Start()
		for range t.N / thousand {
			if err := t.Loop.Submit(task); err != nil {
				return err
			}
			if err := <-done; err != nil {
				return err
			}
			t.Submitted(thousand + 1)
		}
		t.Stop()
		t.Report(NsPerOp, max(1, float64(took)/float64(t.N)))
		return w.close()
	},
}

// DescriptorSubmit is MicroWakeupSyscall_RapidSubmitExecuted on a loop that has something to watch.
var DescriptorSubmit = Workload{
	Name:  "DescriptorSubmit",
	Kind:  result.KindDescriptor,
	About: "empty submissions back to back to a loop that watches 1,000 descriptors which are never ready; the time ends when the last one has run",
	Needs: needsDescriptors,
	Run: func(t *Trial) error {
		w, err := t.watch(thousand, openPipe, func(int) {})
		if err != nil {
			return err
		}
		if err := WakeupRapidSubmitExecuted.Run(t); err != nil {
			return err
		}
		return w.close()
	},
}

// The connections of DescriptorEcho, and the bytes of a message.
const (
	echoConnections = 100
	echoSize        = 64
)

// DescriptorEcho is a server of many connections.
var DescriptorEcho = Workload{
	Name:  "DescriptorEcho",
	Kind:  result.KindDescriptor,
	About: "the loop watches 100 connected sockets and sends back what it gets; a goroutine has a message of 64 bytes under way on each of them, and waits for the answers in turn",
	Needs: needsDescriptors,
	Run: func(t *Trial) error {
		var failed error // the loop's, until the watches have stopped
		w, err := t.watch(echoConnections, openSockets, func(own int) {
			n, err := sendBack(own)
			t.emptyRan += int64(n / echoSize)
			if n%echoSize != 0 {
				err = errors.New("a message came in parts: a fault of the workload")
			}
			if err != nil && failed == nil {
				failed = err
			}
		})
		if err != nil {
			return err
		}
		clients, err := w.files()
		if err != nil {
			return err
		}
		t.Start()
		err = exchange(t.N, clients)
		t.Stop()
		t.Submitted(t.N)
		if ended := w.close(); err == nil {
			err = ended
		}
		return errors.Join(err, failed)
	},
}
