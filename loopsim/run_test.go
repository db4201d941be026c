package loopsim

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/eventloop-go/eventloop/loopnet"
	"github.com/eventloop-go/eventloop/promise"
)

// A judge is a test that Run reports to.
type judge struct {
	testing.TB
	said []string
}

func (j *judge) Helper()           {}
func (j *judge) Name() string      { return "TestOf/part one" }
func (j *judge) Error(args ...any) { j.said = append(j.said, fmt.Sprint(args...)) }

// verdict is the text of Run's report on a world.
func verdict(t *testing.T, cfg Config, describe func(*World)) string {
	j := &judge{TB: t}
	cfg.Output = t.TempDir()
	Run(j, cfg, describe)
	return strings.Join(j.said, "\n")
}

// fragile fails if the third step comes while the host a is down for the second time.
func fragile(w *World) {
	w.Host("a", func(h *Host) {
		if h.Boot() == 3 {
			h.Logf("boots for the third time")
		}
	})
	w.Host("b", func(h *Host) {})
	random := w.Rand("steps")
	done := 0
	for i := range 10 {
		w.Step(time.Duration(random.IntN(10_000))*time.Millisecond, "b", fmt.Sprint("step ", i), func(h *Host) {
			if i == 3 && w.machine("a").boots == 2 && w.machine("a").host == nil {
				w.Failf("step 3 while a is down again")
			}
			done++
		})
	}
}

func TestAFailureHasItsSmallestStoryAndCanBeRepeated(t *testing.T) {
	cfg := Config{Duration: 10 * time.Second, Faults: Faults{Kinds: AllFaults(), Most: 20}}
	*seedsFlag = 2000 // with -short too
	defer func() { *seedsFlag = 0 }()
	said := verdict(t, cfg, fragile)
	for _, want := range []string{"step 3 while a is down again", "2 of ", "1 of 10 steps", "crash of a", "step 3", "-run '^TestOf$/^part one$'"} {
		if !strings.Contains(strings.ReplaceAll(said, "kill of a", "crash of a"), want) {
			t.Errorf("the report lacks %q:\n%s", want, said)
		}
	}
	command := regexp.MustCompile(`-loopsim\.seed=(\S+)`).FindStringSubmatch(said)
	if command == nil {
		t.Fatal("no command")
	}
	*seedFlag = command[1]
	defer func() { *seedFlag = "" }()
	if again := verdict(t, cfg, fragile); !strings.Contains(again, "step 3 while a is down again") {
		t.Errorf("%s is repeated:\n%s", command[1], again)
	}
}

func TestAFailureLeavesAPageAndATraceForPerfetto(t *testing.T) {
	said := verdict(t, Config{Duration: time.Second}, func(w *World) {
		w.Host("server", func(h *Host) {
			_, _ = h.Listen(80, func(c *loopnet.Conn) {
				c.OnData(func(p []byte) { w.Failf("</script> %s", p) })
			})
		})
		w.Host("client", dialled(func(_ *Host, c *loopnet.Conn) { c.Write([]byte("</script>")) }))
	})
	page := regexp.MustCompile(`time line: (\S+)`).FindStringSubmatch(said)
	trace := regexp.MustCompile(`perfetto\.dev: (\S+)`).FindStringSubmatch(said)
	if page == nil || trace == nil {
		t.Fatal(said)
	}
	html, err := os.ReadFile(page[1])
	if err != nil || strings.Count(string(html), "</script>") != 1 || !strings.Contains(string(html), `"client"`) {
		t.Errorf("page: %v\n%s", err, html)
	}
	data, err := os.ReadFile(trace[1])
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ TraceEvents []traceEvent }
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	types := map[string]int{}
	for _, e := range got.TraceEvents {
		types[e.Type]++
	}
	if types["s"] == 0 || types["s"] != types["f"] || types["X"] == 0 || types["M"] != 8 {
		t.Errorf("events by type: %v", types)
	}
}

func TestWorldsFailForWhatMustNotHappen(t *testing.T) {
	idle := func(*Host) {}
	for want, describe := range map[string]func(*World){
		"always small": func(w *World) {
			n := 0
			w.Host("a", func(h *Host) { _, _ = h.Loop().ScheduleRepeating(time.Second, func() { n++ }) })
			w.Always("small", func() error {
				if n > 3 {
					return errors.New("it is 4")
				}
				return nil
			})
		},
		"eventually done": func(w *World) {
			w.Host("a", idle)
			w.Eventually(time.Second, "done", func() error { return errors.New("not yet") })
		},
		"finally equal": func(w *World) {
			w.Host("a", idle)
			w.Finally("equal", func() error { return errors.New("not equal") })
		},
		"panic": func(w *World) { w.Host("a", func(*Host) { panic("oh") }) },
		"unhandled rejection": func(w *World) {
			w.Host("a", func(h *Host) { promise.Reject[int](h.Loop(), errors.New("oh")) })
		},
		"end of a loop": func(w *World) { w.Host("a", func(h *Host) { _ = h.Loop().Close() }) },
		"left alive": func(w *World) {
			w.Host("a", func(h *Host) {
				_, _ = h.Loop().ScheduleTimer(time.Hour, func() {})
				h.OnStop(func() {})
			})
		},
		"livelock": func(w *World) {
			w.Host("a", func(h *Host) {
				var again func()
				again = func() { _ = h.Loop().Submit(again) }
				again()
			})
		},
		"finally linearizable register": func(w *World) {
			w.Host("a", idle)
			h := w.Linearizable("register", register)
			w.Step(time.Second, "a", "write", func(*Host) { h.Begin(1, 1).End(0) })
			w.Step(2*time.Second, "a", "read", func(*Host) { h.Begin(2, 0).End(7) })
		},
	} {
		t.Run(want, func(t *testing.T) {
			if said := verdict(t, Config{Seeds: 3, Twice: 1, Duration: 10 * time.Second, MaxEvents: 10_000}, describe); !strings.Contains(said, ": "+want+"\n") {
				t.Errorf("Run says: %s", said)
			}
		})
	}
}

// register is a model: an input of 0 reads, and any other is written.
var register = porcupine.Model{
	Init: func() any { return 0 },
	Step: func(state, input, output any) (bool, any) {
		if input.(int) != 0 {
			return true, input
		}
		_, unknown := output.(Unknown)
		return unknown || output == state, state
	},
}

func TestAGoroutineThatTouchesALoopIsFound(t *testing.T) {
	said := verdict(t, Config{Seeds: 1}, func(w *World) {
		var submitted chan struct{}
		w.Host("a", func(h *Host) {
			submitted = make(chan struct{})
			go func() {
				defer close(submitted)
				for h.w.foreign.Load() == nil {
					_ = h.Loop().Submit(func() {})
					time.Sleep(time.Millisecond)
				}
			}()
		})
		w.Always("the goroutine has submitted", func() error { // asked while all loops sleep
			if submitted != nil {
				<-submitted
			}
			return nil
		})
	})
	if !strings.Contains(said, "foreign goroutine") || !strings.Contains(said, "TestAGoroutineThatTouches") {
		t.Error(said)
	}
}

func TestEventuallyEndsTheWorldWhenAllIsReached(t *testing.T) {
	w := one(t, 1, Config{Duration: 10 * time.Second}, func(w *World) {
		up := 0
		w.Host("a", func(h *Host) { up = h.Boot(); _, _ = h.Loop().ScheduleRepeating(time.Second, func() {}) })
		w.Step(5*time.Second, "a", "crash", func(*Host) { w.Inject(Fault{Kind: Crash, Host: "a", For: time.Hour}) })
		w.Eventually(time.Hour, "a runs again", func() error {
			if up != 2 {
				return fmt.Errorf("boots: %d", up)
			}
			return nil
		})
	})
	holds(t, w)
	if w.Elapsed() > 20*time.Second {
		t.Errorf("the world has gone on for %v", w.Elapsed())
	}
}

func TestAGoalThatIsReachedBeforeTheFaultsAreOverHolds(t *testing.T) {
	holds(t, one(t, 1, Config{}, func(w *World) {
		w.Host("a", func(*Host) {})
		w.Eventually(time.Second, "nothing is left to do", func() error { return nil })
	}))
}

func TestSeedsThatAreNoneAreRefused(t *testing.T) {
	for _, text := range []string{"", "x", "1/steps=a", "1/what=1", "1/steps=-1"} {
		if _, _, err := parseSeed(text); err == nil || !strings.Contains(err.Error(), "-loopsim.seed") {
			t.Errorf("%q: %v", text, err)
		}
	}
	seed, keep, err := parseSeed("7/faults=0,3/steps=")
	if err != nil || seed != 7 || keep.String() != "/faults=0,3/steps=" {
		t.Errorf("%d %v %v", seed, keep, err)
	}
}
