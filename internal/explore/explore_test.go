package explore_test

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	. "github.com/eventloop-go/eventloop/internal/explore"
)

// both runs a and b on goroutines of their own, and then check.
func both(check func(), fns ...func()) {
	left := len(fns)
	for i, fn := range fns {
		GoNamed(string(rune('a'+i)), func() {
			defer func() { left-- }()
			fn()
		})
	}
	Until("join", func() bool { return left == 0 })
	check()
}

func lostUpdate() {
	var n Int32
	add := func() { n.Store(n.Load() + 1) }
	both(func() {
		if got := n.Load(); got != 2 {
			Fail("%d additions are left of 2", got)
		}
	}, add, add)
}

// lostWakeUp waits after it has looked, without saying so before it looks.
func lostWakeUp() {
	var ready, waits Bool
	wake := make(chan struct{}, 1)
	both(func() {}, func() {
		if !ready.Load() {
			waits.Store(true)
			Receive(wake)
		}
	}, func() {
		ready.Store(true)
		if waits.Load() {
			Send(wake)
		}
	})
}

func abba() {
	var a, b Mutex
	taken := 0
	take := func(first, second *Mutex) func() {
		return func() {
			first.Lock()
			second.Lock()
			taken++
			second.Unlock()
			first.Unlock()
		}
	}
	both(func() {}, take(&a, &b), take(&b, &a))
}

// twoPreemptions fails only if a is interrupted by b, and b by a.
func twoPreemptions() {
	var x, y Int32
	both(func() {}, func() {
		x.Store(1)
		if y.Load() == 1 { // b has done its first half
			x.Store(2)
		}
	}, func() {
		if x.Load() == 1 { // a has done its first half
			y.Store(1)
			if x.Load() == 2 {
				Fail("there and back")
			}
		}
	})
}

func raceWithTimer() {
	var fired Bool
	t := AfterFunc(time.Millisecond, func() { fired.Store(true) })
	Sleep(time.Millisecond)
	if t.Stop() {
		Quiet()
		if fired.Load() {
			Fail("a stopped timer has fired")
		}
	} else if !fired.Load() {
		Fail("it has fired, and its function has not run yet")
	}
}

// trustsYield waits for another goroutine by letting others run a hundred times.
func trustsYield() {
	var done Bool
	both(func() {}, func() { done.Store(true) }, func() {
		for range 100 {
			if done.Load() {
				return
			}
			Yield()
		}
		Fail("the other goroutine has not run")
	})
}

// trustsClock expects a goroutine that is ready to have run when a time slice has passed.
func trustsClock() {
	var done Bool
	both(func() {}, func() { done.Store(true) }, func() {
		for began := Now(); Since(began) < 5*time.Millisecond; {
			if done.Load() {
				return
			}
			Yield()
		}
		Fail("the other goroutine has not run")
	})
}

func TestALoadedMachineLetsReadyGoroutinesWait(t *testing.T) {
	for name, body := range map[string]func(){"yields": trustsYield, "time": trustsClock} {
		if ran, f := Random(1, 2000, body); f == nil || f.Kind != "check" {
			t.Errorf("%s: %d schedules find %v, want a failure of kind check", name, ran, f)
		}
	}
}

func TestFaultsAreFoundUnderRandomSchedulesAndByExhaustion(t *testing.T) {
	for _, c := range []struct {
		name  string
		body  func()
		kind  string
		bound int // preemptions that are needed
	}{
		{"lost update", lostUpdate, "check", 1},
		{"lost wake-up", lostWakeUp, "deadlock", 1},
		{"locks in opposite orders", abba, "deadlock", 1},
		{"two preemptions", twoPreemptions, "check", 2},
		{"timer that has fired and not run", raceWithTimer, "check", 1},
		{"panic", func() { both(func() {}, func() { panic("caught by nobody") }) }, "panic", 0},
		{"livelock", func() {
			for {
				Yield()
			}
		}, "livelock", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			ran, f := Random(1, 2000, c.body)
			if f == nil || f.Kind != c.kind {
				t.Fatalf("2000 random schedules find %v, want a failure of kind %s", f, c.kind)
			}
			t.Logf("found by random schedule %d", ran)
			ran, f = Exhaust(c.bound, 1e6, c.body)
			if f == nil || f.Kind != c.kind {
				t.Fatalf("%d schedules with %d preemptions find %v, want a failure of kind %s", ran, c.bound, f, c.kind)
			}
			t.Logf("found by exhaustion in schedule %d", ran)
			if c.bound > 0 {
				if ran, f := Exhaust(c.bound-1, 1e6, c.body); f != nil {
					t.Errorf("%d schedules with %d preemptions find %v, want nothing", ran, c.bound-1, f)
				}
			}
		})
	}
}

// The number of ways to put three operations of one goroutine and three of another in a row is 20.
func TestExhaustionRunsEachScheduleOnce(t *testing.T) {
	for _, c := range []struct {
		goroutines, operations, bound, want int
	}{
		{2, 1, 9, 2},
		{2, 2, 9, 6},
		{2, 3, 9, 20},
		{2, 4, 9, 70},
		{3, 2, 9, 90},
		{2, 3, 0, 2},
		{2, 3, 1, 2 + 2*2},
		{3, 1, 0, 6},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			seen := make(map[string]int)
			ran, f := Exhaust(c.bound, 1e6, func() {
				var n Int32
				var order strings.Builder
				work := func(name byte) func() {
					return func() {
						for range c.operations {
							n.Add(1)
							order.WriteByte(name)
						}
					}
				}
				both(func() { seen[order.String()]++ }, []func(){work('a'), work('b'), work('c')}[:c.goroutines]...)
			})
			if f != nil || ran != c.want || len(seen) != c.want {
				t.Errorf("%d schedules, %d orders, failure %v, want %d of both", ran, len(seen), f, c.want)
			}
		})
	}
}

func TestReplayOfASeedOrASchedulePrintsTheSameTrace(t *testing.T) {
	for _, body := range []func(){lostUpdate, lostWakeUp, abba, twoPreemptions, raceWithTimer} {
		first, f := Random(7, 2000, body)
		again, g := Random(7, 2000, body)
		if f == nil || first != again || !reflect.DeepEqual(f.Decisions, g.Decisions) {
			t.Fatalf("seed 7 fails in schedule %d and again in %d, with %v and %v", first, again, f, g)
		}
		a, b := Replay(f.Decisions, body), Replay(f.Decisions, body)
		if a == nil || b == nil || a.String() != b.String() || a.Message != f.Message || a.Steps != f.Steps {
			t.Errorf("replays differ:\n%v\n%v\nof %v", a, b, f)
		}
		if len(a.Trace) == 0 || !strings.Contains(a.Trace[len(a.Trace)-1].Place, "explore_test.go:") {
			t.Errorf("the trace does not end at a place of this file: %v", a)
		}
	}
}

func TestShrinkingLeavesTheDecisionsThatTheFailureNeeds(t *testing.T) {
	noise := func() { // operations that have nothing to do with the failure, in which many preemptions take place
		var n Int64
		for range 40 {
			n.Add(1)
		}
	}
	for _, c := range []struct {
		name string
		body func()
		want int
	}{
		{"lost update", func() { noise(); lostUpdate() }, 1},
		{"two preemptions", func() { Go(noise); noise(); twoPreemptions() }, 2},
		{"locks in opposite orders", func() { Go(noise); Go(noise); noise(); abba() }, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			most := 0
			for seed := range uint64(10) {
				_, f := Random(seed, 2000, c.body)
				if f == nil {
					t.Fatal("not found")
				}
				most = max(most, f.Preemptions())
				if s := Shrink(f, c.body); s.Kind != f.Kind || s.Preemptions() > c.want {
					t.Errorf("seed %d: shrunk from %d preemptions to %d, want %d at most:\n%v", seed, f.Preemptions(), s.Preemptions(), c.want, s)
				}
			}
			if most <= c.want {
				t.Errorf("there was nothing to shrink: %d preemptions at most", most)
			}
		})
	}
}

func TestTimeJumpsToTheNextTimerWhenNobodyCanGoOn(t *testing.T) {
	f := Once(func() {
		began := Now()
		var order []string
		AfterFunc(2*time.Hour, func() { order = append(order, "second") })
		AfterFunc(time.Hour, func() { order = append(order, "first") })
		stopped := AfterFunc(time.Minute, func() { order = append(order, "stopped") })
		if !stopped.Stop() || stopped.Stop() {
			Fail("Stop must report true, then false")
		}
		Sleep(3 * time.Hour)
		if d := Since(began); d != 3*time.Hour || !reflect.DeepEqual(order, []string{"first", "second"}) {
			Fail("after %v the timers have run in the order %v", d, order)
		}
	})
	if f != nil {
		t.Error(f)
	}
}

func TestGoexitEndsAGoroutineOfARun(t *testing.T) {
	_, f := Random(1, 200, func() {
		var ended Bool
		Go(func() {
			defer ended.Store(true)
			runtime.Goexit()
		})
		Until("end", func() bool { return true })
		Quiet()
		if !ended.Load() {
			Fail("its deferred function has not run")
		}
	})
	if f != nil {
		t.Error(f)
	}
}

func TestServicesAreNoDeadlockAndRunWhenTheyAreDue(t *testing.T) {
	runs := 0
	if _, f := Random(1, 200, func() {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		stop := AfterContext(ctx, func() { runs++ })
		AfterContext(context.Background(), func() { Fail("this never ends") })
		AfterFunc(time.Hour, func() {})
		if !stop() || stop() {
			Fail("stop must report true, then false")
		}
		AfterContext(ctx, func() { runs += 2 })
		cancel()
		Quiet()
	}); f != nil || runs != 400 {
		t.Errorf("%v, and the function has run %d times in 200 runs, want 2 each", f, runs)
	}
}

func TestOutsideARunTheTypesAreGosOwn(t *testing.T) {
	var mu Mutex
	mu.Lock()
	if mu.TryLock() {
		t.Error("a locked mutex was locked")
	}
	mu.Unlock()
	done := make(chan struct{})
	Go(func() { Close(done) })
	Receive(done)
	fired := make(chan struct{}, 1)
	AfterFunc(0, func() { Send(fired) })
	if WaitAny(nil, fired, nil) != 1 || Since(Now()) > time.Hour || Processors() < 1 {
		t.Error("something is wrong with the channels or the clock")
	}
	ctx, cancel := context.WithCancel(context.Background())
	AfterContext(ctx, func() { Send(fired) })
	cancel()
	Receive(fired)
}

// broken is a family of which programs with two additions on different goroutines fail.
func broken(name string) Family {
	return Family{
		Name: name, Actors: 3, Ops: 6,
		Kinds: []OpKind{{Name: "add", Weight: 1}, {Name: "nothing", Weight: 3}, {Name: "inner", Weight: 2, Callback: true}},
		Run: func(p Program) {
			var n Int32
			want := int32(0)
			var perform func(ops []Op)
			perform = func(ops []Op) {
				for _, op := range ops {
					switch op.Code {
					case 0:
						want++
						n.Store(n.Load() + 1)
					case 1:
						Point("nothing")
					}
					perform(op.Sub)
				}
			}
			var fns []func()
			for _, ops := range p.Actors {
				fns = append(fns, func() { perform(ops) })
			}
			both(func() {
				if n.Load() != want {
					Fail("lost")
				}
			}, fns...)
		},
	}
}

type recorder struct {
	testing.TB
	text string
}

func (r *recorder) Fatalf(format string, args ...any) { r.text += fmt.Sprintf(format, args...) }
func (r *recorder) Helper()                           {}

func TestAProgramThatFailsIsShrunkAndPrintedForReplay(t *testing.T) {
	f := broken("TestBroken")
	r := &recorder{TB: t}
	f.Explore(r)
	if !strings.Contains(r.text, "program  0 / add.0.0 / add.0.0\n") {
		t.Fatalf("the program was not shrunk to two additions:\n%s", r.text)
	}
	_, command, ok := strings.Cut(r.text, "EXPLORE_REPLAY='")
	if !ok {
		t.Fatalf("no command to replay:\n%s", r.text)
	}
	text, _, _ := strings.Cut(command, "'")
	t.Setenv("EXPLORE_REPLAY", text)
	again := &recorder{TB: t}
	f.Explore(again)
	if !strings.Contains(again.text, "check: lost") {
		t.Errorf("the replay of %q says:\n%s", text, again.text)
	}
}

func BenchmarkSchedule(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	Random(1, b.N, func() {
		var n Int32
		work := func() {
			for range 100 {
				n.Add(1)
			}
		}
		both(func() {}, work, work, work)
	})
}
