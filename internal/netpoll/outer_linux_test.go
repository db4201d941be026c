package netpoll_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/eventloop-go/eventloop/internal/netpoll"
)

func TestANotifierThatIsEnabledReportsWhatCameWhileItWasDisabled(t *testing.T) {
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	calls := netpoll.System()
	set, err := calls.Create()
	check(err)
	ready := make(chan struct{}, 100)
	notifier, err := calls.Notify(set, func() { ready <- struct{}{} })
	check(err)
	var pipe [2]int
	check(unix.Pipe2(pipe[:], unix.O_CLOEXEC|unix.O_NONBLOCK))
	defer unix.Close(pipe[0])
	defer unix.Close(pipe[1])
	check(calls.Control(set, netpoll.Change{Op: netpoll.Add, FD: pipe[0], Generation: 1, Events: netpoll.Read}))
	reported := func(what string) {
		t.Helper()
		select {
		case <-ready:
		case <-time.After(time.Minute):
			t.Fatalf("hangs: %s is not reported", what)
		}
	}
	reported("the beginning")

	buf := make([]byte, 1)
	for range 100 {
		notifier.Disable()
		if _, err := unix.Write(pipe[1], buf); err != nil {
			t.Fatal(err)
		}
		check(notifier.Enable())
		reported("what came while it was disabled")
		if _, err := unix.Read(pipe[0], buf); err != nil {
			t.Fatal(err)
		}
		for len(ready) > 0 { // the write may have been reported twice
			<-ready
		}
		if _, err := unix.Write(pipe[1], buf); err != nil {
			t.Fatal(err)
		}
		reported("what came while it was enabled")
		if _, err := unix.Read(pipe[0], buf); err != nil {
			t.Fatal(err)
		}
	}
	check(notifier.Close())
}

// A writer writes in bursts, with pauses of about as long as the poller takes to find nothing. So the next bytes come
// while the notifier is disabled, or is being enabled. The writer waits until all of a burst was read.
func TestNothingIsLostWhenAWriteMeetsTheLastLook(t *testing.T) {
	const bytes, burst = 100000, 30
	var p netpoll.Poller[int]
	o := make(owner, 1)
	p.Init(netpoll.System(), o)
	defer p.Close()
	var pipes [3][2]int
	for i := range pipes {
		if err := unix.Pipe2(pipes[i][:], unix.O_CLOEXEC|unix.O_NONBLOCK); err != nil {
			t.Fatal(err)
		}
		defer unix.Close(pipes[i][0])
		defer unix.Close(pipes[i][1])
		if _, _, err := p.Register(pipes[i][0], netpoll.Read, i); err != nil {
			t.Fatal(err)
		}
	}
	wasRead := make(chan struct{}, burst)
	done := make(chan error, 1)
	go func() {
		random := rand.New(rand.NewPCG(1, 2))
		buf := make([]byte, 1)
		for sent := 0; sent < bytes; {
			n := 1 + random.IntN(burst)
			for range n {
				if _, err := unix.Write(pipes[random.IntN(len(pipes))][1], buf); err != nil {
					done <- err
					return
				}
				for range random.IntN(10000) {
				}
			}
			for range n {
				<-wasRead
			}
			sent += n
		}
		done <- nil
	}()
	hang := time.NewTimer(time.Minute)
	defer hang.Stop()
	buf := make([]byte, 1)
	for {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			return
		case <-hang.C:
			t.Fatal("hangs: a byte is there, and Ready is not called")
		case <-o:
		}
		for p.Wait() {
			for {
				i, events, _ := p.Next()
				if events == 0 {
					break
				}
				if _, err := unix.Read(pipes[i][0], buf); err != nil {
					t.Fatal(err)
				}
				wasRead <- struct{}{}
			}
		}
	}
}
