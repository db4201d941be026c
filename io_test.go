package eventloop

import (
	"errors"
	"io"
	"net"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/netpoll"
	"github.com/eventloop-go/eventloop/internal/testkit"
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
	testkit.Must(t, err)
	defer listener.Close()
	c, err := net.Dial("tcp", listener.Addr().String())
	testkit.Must(t, err)
	d, err := listener.Accept()
	testkit.Must(t, err)
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
		testkit.On(t, l, func() {
			var err error
			w, err = l.Watch(a, EventRead, func(IOEvents) {
				var buf [2]byte
				n, err := a.Read(buf[:])
				if text += string(buf[:n]); err == io.EOF {
					testkit.Must(t, w.Close())
					testkit.Must(t, w.Close())
					got <- text
				} else {
					testkit.Must(t, err)
				}
			})
			testkit.Must(t, err)
		})
		_, err := io.WriteString(b, "read in pieces")
		testkit.Must(t, err)
		testkit.Must(t, b.CloseWrite())
		if text := testkit.Await(t, "end of stream", got); text != "read in pieces" {
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
		testkit.On(t, l, func() {
			var err error
			w, err = l.Watch(a, 0, func(e IOEvents) {
				testkit.Must(t, w.Modify(0))
				events <- e
			})
			testkit.Must(t, err)
		})
		for _, e := range []IOEvents{EventWrite, EventRead} {
			if e == EventRead {
				_, err := b.Write([]byte("x"))
				testkit.Must(t, err)
			}
			testkit.On(t, l, func() { testkit.Must(t, w.Modify(e)) })
			if got := testkit.Await(t, "event", events); got != e {
				t.Errorf("events %v, want %v", got, e)
			}
		}
		testkit.On(t, l, func() { testkit.Must(t, w.Close()) })
		if err := w.Modify(EventRead); !errors.Is(err, net.ErrClosed) {
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
			testkit.Must(t, err)
			testkit.Must(t, a.Close())
			go func() { // the loop is open until the watch is closed
				if err := w.Modify(EventRead | EventWrite); err != nil && !errors.Is(err, net.ErrClosed) {
					t.Errorf("Modify: %v", err)
				}
				testkit.Must(t, w.Close())
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
			testkit.Must(t, err)
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
		testkit.Must(t, b.Close())
		if _, err := l.Watch(a, EventRead, nil); err != inside.ErrNilCallback {
			t.Errorf("nil callback: %v", err)
		}
		if _, err := l.Watch(a, 1<<7, func(IOEvents) {}); err != inside.ErrInvalidEvents {
			t.Errorf("events: %v", err)
		}
		var zero Loop
		if _, err := zero.Watch(a, EventRead, func(IOEvents) {}); err != inside.ErrZeroLoop {
			t.Errorf("zero loop: %v", err)
		}
		if _, err := l.Watch((*os.File)(nil), EventRead, func(IOEvents) {}); err == nil {
			t.Error("a nil file is watched")
		}
	})
	l := running(t)
	_, b := connection(t)
	testkit.Must(t, b.Close())
	if _, err := l.Watch(b, EventRead, func(IOEvents) {}); !errors.Is(err, net.ErrClosed) && err != nil {
		t.Errorf("closed connection: %v", err)
	}
}

// A Watch ends beside its loop: the one may take the number back before the other.
func TestAWatchMayBeClosedWhileItsLoopIs(t *testing.T) {
	onSystems(t, func(t *testing.T, option Option) {
		for range testkit.Scale(300) {
			l := New(option)
			a, _ := connection(t)
			w, err := l.Watch(a, EventRead, func(IOEvents) {})
			testkit.Must(t, err)
			done := make(chan error, 1)
			go func() { done <- l.Close() }()
			testkit.Must(t, w.Close())
			testkit.Must(t, <-done)
			testkit.Must(t, a.Close())
		}
	})
}

func TestRegisterFDNamesWatchWhereThereIsNoSetOfDescriptors(t *testing.T) {
	l := running(t, withoutDescriptors())
	_, err := l.RegisterFD(0, EventRead, func(IOEvents) {})
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
		ran := map[uint8]int{} // the loop's
		between := false
		defer view{l}.Observe(inside.ObservePhases|inside.ObserveCallbacks, func(e inside.Event) {
			switch {
			case e.Phase != inside.PhasePoll && e.Phase != inside.PhaseClose:
			case e.Type == inside.PhaseBegan:
				between = true
			case e.Type == inside.PhaseEnded:
				between = false
			case e.Type == inside.CallbackEnded && between && strings.Contains(runtime.FuncForPC(reflect.ValueOf(e.Fn).Pointer()).Name(), "TestObserversSee"):
				ran[e.Phase]++
			}
		})()
		closed := make(chan struct{})
		var w *Watch
		testkit.On(t, l, func() {
			var err error
			w, err = l.Watch(a, EventRead, func(IOEvents) {
				testkit.Must(t, w.Close())
				testkit.Must(t, l.scheduleClose(func() { close(closed) }))
			})
			testkit.Must(t, err)
		})
		_, err := b.Write([]byte("x"))
		testkit.Must(t, err)
		testkit.Await(t, "the close phase", closed)
		testkit.On(t, l, func() {
			if ran[inside.PhasePoll] != 1 || ran[inside.PhaseClose] != 1 {
				t.Errorf("callbacks in phases: %v", ran)
			}
		})
	})
}
