package eventloop

import (
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/internal/netpoll"
)

// withoutDescriptors makes a loop one of a system that has no set of descriptors.
func withoutDescriptors() Option {
	return optionFunc(func(l *Loop) { l.poller.Init(new(netpoll.RawSet), (*ioOwner)(l)) })
}

// onSystems runs a test on loops with a set of descriptors, if this system has one, and without.
func onSystems(t *testing.T, test func(t *testing.T, option Option)) {
	t.Run("set", func(t *testing.T) { test(t, nil) })
	t.Run("RawConn", func(t *testing.T) { test(t, withoutDescriptors()) })
}

// connection returns both ends of a TCP connection.
func connection(t testing.TB) (a, b *net.TCPConn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer listener.Close()
	c, err := net.Dial("tcp", listener.Addr().String())
	must(t, err)
	d, err := listener.Accept()
	must(t, err)
	t.Cleanup(func() {
		_ = c.Close()
		_ = d.Close()
	})
	return c.(*net.TCPConn), d.(*net.TCPConn)
}

func TestAWatchReportsAConnectionAsLongAsItIsReady(t *testing.T) {
	onSystems(t, func(t *testing.T, option Option) {
		l := running(t, option)
		a, b := connection(t)
		got := make(chan string, 1)
		text := ""
		var w *Watch
		on(t, l, func() {
			var err error
			w, err = l.Watch(a, EventRead, func(IOEvents) {
				var buf [2]byte
				n, err := a.Read(buf[:])
				if text += string(buf[:n]); err == io.EOF {
					must(t, w.Close())
					must(t, w.Close())
					got <- text
				} else {
					must(t, err)
				}
			})
			must(t, err)
		})
		_, err := io.WriteString(b, "read in pieces")
		must(t, err)
		must(t, b.CloseWrite())
		if text := await(t, "end of stream", got); text != "read in pieces" {
			t.Errorf("read %q", text)
		}
	})
}

func TestAWatchIsPausedAndResumed(t *testing.T) {
	onSystems(t, func(t *testing.T, option Option) {
		l := running(t, option)
		a, b := connection(t)
		events := make(chan IOEvents, 10)
		var w *Watch
		on(t, l, func() {
			var err error
			w, err = l.Watch(a, 0, func(e IOEvents) {
				must(t, w.Modify(0))
				events <- e
			})
			must(t, err)
		})
		for _, e := range []IOEvents{EventWrite, EventRead} {
			if e == EventRead {
				_, err := b.Write([]byte("x"))
				must(t, err)
			}
			on(t, l, func() { must(t, w.Modify(e)) })
			if got := await(t, "event", events); got != e {
				t.Errorf("events %v, want %v", got, e)
			}
		}
		on(t, l, func() { must(t, w.Close()) })
		if err := w.Modify(EventRead); err != ErrFDNotRegistered {
			t.Errorf("Modify after Close: %v", err)
		}
	})
}

func TestAConnectionMayBeClosedBeforeItsWatch(t *testing.T) {
	onSystems(t, func(t *testing.T, option Option) {
		a, _ := connection(t)
		called := false
		runMain(t, func(l *Loop) {
			w, err := l.Watch(a, EventRead, func(IOEvents) { called = true })
			must(t, err)
			must(t, a.Close())
			go func() { // the loop is open until the watch is closed
				if err := w.Modify(EventRead | EventWrite); err != nil && !errors.Is(err, net.ErrClosed) {
					t.Errorf("Modify: %v", err)
				}
				must(t, w.Close())
			}()
		}, option)
		if called {
			t.Error("a connection that is closed was reported")
		}
	})
}

func TestAWatchThatIsUnreferencedLetsTheLoopEnd(t *testing.T) {
	onSystems(t, func(t *testing.T, option Option) {
		a, _ := connection(t)
		runMain(t, func(l *Loop) {
			w, err := l.Watch(a, EventRead, func(IOEvents) {})
			must(t, err)
			w.Unref()
			w.Ref()
			w.Unref()
		}, option)
	})
}

func TestBadWatchesAreRefused(t *testing.T) {
	onSystems(t, func(t *testing.T, option Option) {
		l := running(t, option)
		a, b := connection(t)
		must(t, b.Close())
		if _, err := l.Watch(a, EventRead, nil); err != ErrNilCallback {
			t.Errorf("nil callback: %v", err)
		}
		if _, err := l.Watch(a, 1<<7, func(IOEvents) {}); err != ErrInvalidEvents {
			t.Errorf("events: %v", err)
		}
		var zero Loop
		if _, err := zero.Watch(a, EventRead, func(IOEvents) {}); err != ErrZeroLoop {
			t.Errorf("zero loop: %v", err)
		}
		if _, err := l.Watch((*os.File)(nil), EventRead, func(IOEvents) {}); err == nil {
			t.Error("a nil file is watched")
		}
	})
	l := running(t)
	_, b := connection(t)
	must(t, b.Close())
	if _, err := l.Watch(b, EventRead, func(IOEvents) {}); !errors.Is(err, net.ErrClosed) && err != nil {
		t.Errorf("closed connection: %v", err)
	}
}

func TestRegisterFDNamesWatchWhereThereIsNoSetOfDescriptors(t *testing.T) {
	l := running(t, withoutDescriptors())
	err := l.RegisterFD(0, EventRead, func(IOEvents) {})
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Fatalf("RegisterFD: %v", err)
	}
	if want := "use Loop.Watch"; !strings.Contains(err.Error(), want) {
		t.Errorf("%q does not say %q", err, want)
	}
}

func TestObserversSeeThePollAndTheClosePhase(t *testing.T) {
	onSystems(t, func(t *testing.T, option Option) {
		l := running(t, option)
		a, b := connection(t)
		ran := map[Phase]int{} // the loop's
		inside := false
		defer l.Observe(ObservePhases|ObserveCallbacks, func(e Event) {
			switch {
			case e.Phase != PhasePoll && e.Phase != PhaseClose:
			case e.Type == PhaseBegan:
				inside = true
			case e.Type == PhaseEnded:
				inside = false
			case e.Type == CallbackEnded && inside && strings.Contains(e.Function(), "TestObserversSee"):
				ran[e.Phase]++
			}
		})()
		closed := make(chan struct{})
		var w *Watch
		on(t, l, func() {
			var err error
			w, err = l.Watch(a, EventRead, func(IOEvents) {
				must(t, w.Close())
				must(t, l.ScheduleClose(func() { close(closed) }))
			})
			must(t, err)
		})
		_, err := b.Write([]byte("x"))
		must(t, err)
		await(t, "the close phase", closed)
		on(t, l, func() {
			if ran[PhasePoll] != 1 || ran[PhaseClose] != 1 {
				t.Errorf("callbacks in phases: %v", ran)
			}
		})
	})
}
