package netpoll_test

import (
	"strings"
	"syscall"
	"testing"

	"github.com/eventloop-go/eventloop/internal/netpoll"
	"github.com/eventloop-go/eventloop/internal/netpoll/simulated"
)

func isKqueue(t *testing.T) bool { return strings.HasSuffix(t.Name(), "kqueue") }

// leak leaves a ready file in the kernel's set, under a descriptor number that is now registered for another file.
func (b *bench) leak() (fd int) {
	fd = b.k.Open(netpoll.Read)
	b.must(b.register(fd, "old"))
	b.k.Dup(fd)
	b.k.CloseFD(fd)
	if again := b.k.Open(netpoll.Write); again != fd {
		b.t.Fatalf("descriptor %d, want %d again", again, fd)
	}
	b.must(b.register(fd, "new"))
	return fd
}

func TestAClosedFileWithADuplicateReachesNobodyAndDoesNotSpin(t *testing.T) {
	kernels(t, func(b *bench) {
		fd := b.leak()
		other := b.k.Open(netpoll.Read)
		b.must(b.register(other, "other"))
		for range 5 {
			if got := b.look(); got != "other:1 " && got != "" {
				b.t.Errorf("found %q", got)
			}
		}
		b.k.SetReady(other, 0)
		if b.look(); b.p.Wait() {
			b.t.Error("there is still something to report")
		}
		b.k.SetReady(fd, netpoll.Read)
		if got := b.next(); got != "new:1 " {
			b.t.Errorf("found %q", got)
		}
		if n := b.k.Sets(); n != 1 {
			b.t.Errorf("%d sets are open", n)
		}
	})
}

// When registrations move to a new set, those whose descriptor was closed stay behind, though the number is another file's.
func TestANewSetHasOnlyWhatTheOldOneHad(t *testing.T) {
	kernels(t, func(b *bench) {
		b.leak()
		lost := b.k.Open(0)
		b.must(b.register(lost, "lost"))
		b.k.CloseFD(lost)
		if again := b.k.Open(netpoll.Read); again != lost {
			b.t.Fatalf("descriptor %d, want %d again", again, lost)
		}
		for range 5 {
			if got := b.look(); got != "" {
				b.t.Errorf("found %q", got)
			}
		}
		if released, err := b.p.Unregister(lost, 0); err != nil || !released {
			b.t.Errorf("Unregister: %v, released %v", err, released)
		}
	})
}

// meddling has something happen before a descriptor is added to any set.
type meddling struct {
	netpoll.Calls
	before func(fd int)
}

func (m *meddling) Control(set int, c netpoll.Change) error {
	if c.Op == netpoll.Add {
		m.before(c.FD)
	}
	return m.Calls.Control(set, c)
}

// Anybody may close a descriptor while registrations move to a new set, and open another of its number.
func TestADescriptorThatIsClosedDuringTheMoveStaysBehindAlone(t *testing.T) {
	for _, again := range []bool{false, true} {
		t.Run(map[bool]string{false: "closed", true: "opened again"}[again], func(t *testing.T) {
			b := &bench{t: t, k: new(simulated.Kernel), o: make(owner, 1)}
			defer b.p.Close()
			calls := &meddling{b.k.Epoll(), func(int) {}}
			b.p.Init(calls, b.o)
			b.leak()
			lost, other := b.k.Open(0), b.k.Open(0)
			b.must(b.register(lost, "lost"))
			b.must(b.register(other, "other"))
			moved := false
			calls.before = func(fd int) {
				if fd == lost && !moved {
					moved = true
					if b.k.CloseFD(lost); again && b.k.Open(netpoll.Read) != lost {
						t.Error("the number is not used again")
					}
				}
			}
			for range 5 {
				if got := b.look(); got != "" {
					t.Errorf("found %q", got)
				}
			}
			if !moved || b.k.Sets() != 1 {
				t.Errorf("moved: %v, %d sets", moved, b.k.Sets())
			}
			b.k.SetReady(other, netpoll.Read)
			if got := b.next(); got != "other:1 " {
				t.Errorf("found %q", got)
			}
			if released, err := b.p.Unregister(lost, 0); err != nil || !released {
				t.Errorf("Unregister of what was closed: %v, released %v", err, released)
			}
		})
	}
}

func TestIfThereCannotBeANewSetThePollerFails(t *testing.T) {
	for _, call := range []simulated.Call{simulated.Create, simulated.Add} {
		t.Run(call.String(), func(t *testing.T) {
			kernels(t, func(b *bench) {
				if isKqueue(b.t) {
					return // has no leaks
				}
				b.leak()
				b.k.Fail(call, syscall.ENOMEM)
				got := ""
				for range 5 {
					got += b.look()
				}
				if got != "new:4 " {
					b.t.Errorf("found %q", got)
				}
				if b.p.Len() != 0 || b.k.Sets() != 0 {
					b.t.Errorf("%d registrations, %d sets", b.p.Len(), b.k.Sets())
				}
			})
		})
	}
}

func TestAnEventFromBeforeTheRegistrationIsNotForIt(t *testing.T) {
	kernels(t, func(b *bench) {
		a, c := b.k.Open(netpoll.Read), b.k.Open(netpoll.Read)
		b.must(b.register(a, "a"))
		b.must(b.register(c, "c"))
		b.p.Wait()
		if name, _, _ := b.p.Next(); name != "a" {
			b.t.Fatalf("found %q first", name)
		}
		// The callback of a closes c, and makes another of its number.
		_, err := b.p.Unregister(c, 0)
		b.must(err)
		b.k.CloseFD(c)
		if again := b.k.Open(0); again != c {
			b.t.Fatalf("descriptor %d, want %d again", again, c)
		}
		b.must(b.register(c, "new"))
		if name, events, _ := b.p.Next(); events != 0 {
			b.t.Errorf("found %q:%d", name, events)
		}
	})
}

func TestWhatIsNotAskedForAnyMoreIsNotReported(t *testing.T) {
	kernels(t, func(b *bench) {
		fd := b.k.Open(netpoll.Read | netpoll.Write)
		_, _, err := b.p.Register(fd, netpoll.Read|netpoll.Write, "a")
		b.must(err)
		b.p.Wait()
		_, err = b.p.Modify(fd, 0, netpoll.Write)
		b.must(err)
		if _, events, _ := b.p.Next(); events != netpoll.Write {
			b.t.Errorf("events %d", events)
		}
		_, err = b.p.Modify(fd, 0, 0)
		b.must(err)
		if got := b.look(); got != "" {
			b.t.Errorf("found %q while paused", got)
		}
		_, err = b.p.Modify(fd, 0, netpoll.Read)
		b.must(err)
		if got := b.next(); got != "a:1 " {
			b.t.Errorf("found %q", got)
		}
	})
}

func TestTheTableGivesItsMemoryBack(t *testing.T) {
	kernels(t, func(b *bench) {
		var fds []int
		for range 300 {
			fd := b.k.Open(0)
			b.must(b.register(fd, "a"))
			fds = append(fds, fd)
		}
		if err := b.register(fds[5], "b"); err != netpoll.ErrRegistered {
			b.t.Errorf("Register: %v", err)
		}
		for _, fd := range fds {
			_, err := b.p.Unregister(fd, 0)
			b.must(err)
		}
		if n := b.p.Len(); n != 0 {
			b.t.Errorf("%d registrations are left", n)
		}
	})
}
