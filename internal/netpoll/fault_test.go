package netpoll_test

import (
	"errors"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/internal/netpoll"
	"github.com/eventloop-go/eventloop/internal/netpoll/simulated"
)

// An owner is a loop as seen by a poller.
type owner chan struct{}

func (o owner) Ready() {
	select {
	case o <- struct{}{}:
	default:
	}
}

// A bench is a poller above a simulated kernel.
type bench struct {
	t *testing.T
	k *simulated.Kernel
	p netpoll.Poller[string]
	o owner
}

// kernels runs a test above both kinds of sets.
func kernels(t *testing.T, test func(b *bench)) {
	for _, kind := range []string{"epoll", "kqueue"} {
		t.Run(kind, func(t *testing.T) {
			b := &bench{t: t, k: new(simulated.Kernel), o: make(owner, 1)}
			calls := b.k.Epoll()
			if kind == "kqueue" {
				calls = b.k.Kqueue()
			}
			b.p.Init(calls, b.o)
			test(b)
			b.p.Close()
			if n := b.k.Sets(); n != 0 {
				t.Errorf("%d sets are open after Close", n)
			}
		})
	}
}

// register registers a descriptor under a name, for reading.
func (b *bench) register(fd int, name string) error {
	_, _, err := b.p.Register(fd, netpoll.Read, name)
	return err
}

func (b *bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// next waits until something is ready, and returns the result of one Wait, as text.
func (b *bench) next() (found string) {
	b.t.Helper()
	for found == "" {
		select {
		case <-b.o:
		case <-time.After(time.Minute):
			b.t.Fatal("hangs: nothing becomes ready")
		}
		found = b.look()
	}
	b.o.Ready() // there may be more
	return found
}

// look returns the ready descriptors.
func (b *bench) look() (found string) {
	b.p.Wait()
	for {
		name, events, _ := b.p.Next()
		if events == 0 {
			return found
		}
		found += fmt.Sprintf("%s:%d ", name, events)
	}
}

var errnos = []syscall.Errno{
	syscall.EINTR, syscall.EBADF, syscall.ENOENT, syscall.EEXIST, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EAGAIN, syscall.EINVAL,
}

// faults runs a test for each error that a call may fail with.
func faults(t *testing.T, test func(b *bench, errno syscall.Errno)) {
	for _, errno := range errnos {
		t.Run(errno.Error(), func(t *testing.T) {
			kernels(t, func(b *bench) { test(b, errno) })
		})
	}
}

func TestACreateThatFailsIsReturnedAndTriedAgainByTheNextRegistration(t *testing.T) {
	faults(t, func(b *bench, errno syscall.Errno) {
		fd := b.k.Open(netpoll.Read)
		b.k.Fail(simulated.Create, errno)
		if err := b.register(fd, "a"); errno == syscall.EINTR && err != nil || errno != syscall.EINTR && err != errno {
			b.t.Errorf("Register: %v", err)
		}
		if errno != syscall.EINTR {
			if b.p.Len() != 0 || b.look() != "" {
				b.t.Error("a registration that failed exists")
			}
			b.must(b.register(fd, "a"))
		}
		if got := b.next(); got != "a:1 " {
			b.t.Errorf("found %q", got)
		}
	})
}

func TestAnAddThatFailsIsReturnedAndLeavesNothing(t *testing.T) {
	faults(t, func(b *bench, errno syscall.Errno) {
		fd := b.k.Open(netpoll.Read)
		b.k.Fail(simulated.Add, errno)
		err := b.register(fd, "a")
		switch {
		case errno == syscall.EINTR:
			b.must(err)
		case errno == syscall.EEXIST && err == nil: // a member of which the table knows nothing is taken over
		case !errors.Is(err, errno) && !errors.Is(err, syscall.ENOENT):
			b.t.Errorf("Register: %v", err)
		default:
			if b.p.Len() != 0 || b.look() != "" {
				b.t.Error("a registration that failed exists")
			}
			b.must(b.register(fd, "a"))
		}
		if got := b.next(); got != "a:1 " {
			b.t.Errorf("found %q", got)
		}
	})
}

func TestAModifyThatFailsLeavesTheRegistrationUnlessTheDescriptorIsGone(t *testing.T) {
	faults(t, func(b *bench, errno syscall.Errno) {
		fd := b.k.Open(netpoll.Read | netpoll.Write)
		b.must(b.register(fd, "a"))
		b.k.Fail(simulated.Modify, errno)
		released, err := b.p.Modify(fd, 0, netpoll.Read|netpoll.Write)
		switch errno {
		case syscall.EINTR:
			b.must(err)
			if got := b.next(); got != "a:3 " {
				b.t.Errorf("found %q", got)
			}
		case syscall.EBADF, syscall.ENOENT:
			if err != errno || !released || b.p.Len() != 0 {
				b.t.Errorf("%v, released %v, %d registrations", err, released, b.p.Len())
			}
			if got := b.look(); got != "" {
				b.t.Errorf("found %q", got)
			}
		default:
			if err != errno || released {
				b.t.Errorf("%v, released %v", err, released)
			}
			if got := b.next(); got != "a:1 " {
				b.t.Errorf("found %q", got)
			}
		}
	})
}

func TestADeleteThatFailsEndsTheRegistrationAllTheSame(t *testing.T) {
	faults(t, func(b *bench, errno syscall.Errno) {
		fd, other := b.k.Open(netpoll.Read), b.k.Open(0)
		b.must(b.register(fd, "a"))
		b.must(b.register(other, "b"))
		b.k.Fail(simulated.Delete, errno)
		released, err := b.p.Unregister(fd, 0)
		want := error(errno)
		switch errno {
		case syscall.EINTR, syscall.EBADF, syscall.ENOENT: // repeated, or gone already
			want = nil
		}
		if err != want || !released || b.p.Len() != 1 {
			b.t.Errorf("%v, released %v, %d registrations", err, released, b.p.Len())
		}
		// Further reports of the kernel reach no callback, and soon stop.
		for range 5 {
			if got := b.look(); got != "" {
				b.t.Errorf("found %q", got)
			}
		}
		if b.p.Wait() {
			b.t.Error("the kernel goes on to report what nobody waits for")
		}
		b.k.SetReady(other, netpoll.Read)
		if got := b.next(); got != "b:1 " {
			b.t.Errorf("found %q", got)
		}
	})
}

func TestAWaitThatFailsEndsEachRegistrationWithAnErrorEvent(t *testing.T) {
	faults(t, func(b *bench, errno syscall.Errno) {
		fds := []int{b.k.Open(0), b.k.Open(netpoll.Read)}
		b.must(b.register(fds[0], "a"))
		b.must(b.register(fds[1], "b"))
		b.k.Fail(simulated.Wait, errno)
		got := b.next()
		if errno == syscall.EINTR {
			if got != "b:1 " {
				b.t.Errorf("found %q", got)
			}
			return
		}
		if got != "a:4 b:4 " || b.p.Len() != 0 || b.k.Sets() != 0 {
			b.t.Errorf("found %q, %d registrations, %d sets", got, b.p.Len(), b.k.Sets())
		}
		b.must(b.register(fds[1], "again"))
		if got := b.next(); got != "again:1 " {
			b.t.Errorf("found %q", got)
		}
	})
}

func TestACloseThatFailsIsOver(t *testing.T) {
	faults(t, func(b *bench, errno syscall.Errno) {
		fd := b.k.Open(netpoll.Read)
		b.must(b.register(fd, "a"))
		b.k.Fail(simulated.Close, errno)
		b.p.Close()
		if err := b.register(fd, "b"); err != netpoll.ErrClosed {
			b.t.Errorf("Register after Close: %v", err)
		}
		if b.p.Wait() || b.p.Len() != 0 {
			b.t.Error("a closed poller has something to report")
		}
	})
}

// The owner would get no notice, so it must go on polling.
func TestAnEnableThatFailsHasTheOwnerWaitAgain(t *testing.T) {
	for _, errno := range errnos {
		t.Run(errno.Error(), func(t *testing.T) {
			b := &bench{t: t, k: new(simulated.Kernel), o: make(owner, 1)}
			b.p.Init(b.k.Epoll(), b.o)
			defer b.p.Close()
			fd := b.k.Open(netpoll.Read)
			b.must(b.register(fd, "a"))
			for range 3 {
				if got := b.look(); got != "a:1 " {
					b.t.Fatalf("found %q", got)
				}
			}
			b.k.SetReady(fd, 0)
			b.k.Fail(simulated.Enable, errno)
			if !b.p.Wait() {
				t.Error("Wait reports nothing, and nobody would call Ready")
			}
			if b.p.Wait() {
				t.Error("Wait reports something after a look that found nothing")
			}
			b.k.SetReady(fd, netpoll.Read)
			if got := b.next(); got != "a:1 " {
				b.t.Errorf("found %q", got)
			}
		})
	}
}
