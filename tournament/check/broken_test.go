package check_test

import (
	"context"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/check"
	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// impatience bounds the wait for events that a broken loop will not cause.
const impatience = time.Second / 2

func loseEvery(nth int) faults {
	return faults{accept: func(q *queue, n int, task func()) {
		if n%nth != 0 {
			q.tasks = append(q.tasks, task)
		}
	}}
}

var (
	twice = faults{accept: func(q *queue, n int, task func()) {
		if q.tasks = append(q.tasks, task); n%50 == 0 {
			q.tasks = append(q.tasks, task)
		}
	}}
	backwards = faults{accept: func(q *queue, n int, task func()) {
		q.tasks = append(q.tasks, task)
		if n := len(q.tasks); n > 1 {
			q.tasks[n-1], q.tasks[n-2] = q.tasks[n-2], q.tasks[n-1]
		}
	}}
	hoards = faults{accept: func(q *queue, n int, task func()) {
		q.tasks, q.kept = append(q.tasks, task), append(q.kept, task)
	}}
	onlyOneShutdown = faults{shutdown: func(q *queue, ctx context.Context) error {
		q.mu.Lock()
		first := !q.stopped
		q.stopped = true
		q.more.Signal()
		q.mu.Unlock()
		if first {
			<-q.done
			return nil
		}
		<-ctx.Done()
		return context.Cause(ctx)
	}}
	panickyShutdown = faults{shutdown: func(q *queue, ctx context.Context) error {
		q.mu.Lock()
		defer q.mu.Unlock()
		if q.stopped {
			panic("close of closed channel")
		}
		q.stopped = true
		q.more.Signal()
		return nil
	}}
	runsOn = faults{
		shutdown: func(q *queue, ctx context.Context) error {
			q.mu.Lock()
			defer q.mu.Unlock()
			q.stopped = true
			q.more.Signal()
			return nil
		},
		end: func(q *queue) {
			q.mu.Lock()
			defer q.mu.Unlock()
			for !q.killed {
				q.more.Wait()
			}
		},
	}
	// It ends before it refuses: tasks submitted in between are accepted and forgotten.
	endsThenRefuses = faults{shutdown: func(q *queue, ctx context.Context) error {
		q.kill()
		<-q.done
		q.mu.Lock()
		defer q.mu.Unlock()
		q.stopped = true
		return nil
	}}
	diesOfPanics    = faults{run: func(q *queue, task func()) { task() }}
	skipsAfterPanic = faults{run: func(q *queue, task func()) {
		defer func() {
			if recover() != nil {
				q.mu.Lock()
				defer q.mu.Unlock()
				q.tasks, q.urgent = q.tasks[min(1, len(q.tasks)):], q.urgent[min(1, len(q.urgent)):]
			}
		}()
		task()
	}}
	deaf         = faults{deaf: true}
	noPriority   = faults{internal: (*queue).Submit}
	neverRefuses = faults{shutdown: func(q *queue, ctx context.Context) error {
		drained := make(chan struct{})
		if err := q.Submit(func() { close(drained) }); err != nil {
			return err
		}
		<-drained
		q.kill()
		return nil
	}}
	patientShutdown = faults{shutdown: func(q *queue, ctx context.Context) error {
		q.mu.Lock()
		q.stopped = true
		q.more.Signal()
		q.mu.Unlock()
		<-q.done
		return nil
	}}
	forgetsShutdown = faults{shutdown: func(_ *queue, ctx context.Context) error {
		<-ctx.Done()
		return context.Cause(ctx)
	}}
	panickySubmit = faults{accept: func(q *queue, n int, task func()) {
		if q.tasks = append(q.tasks, task); n == 500 {
			panic("send on closed channel")
		}
	}}
	losesWakeups = faults{
		// It checks, releases the lock, and sleeps until notified. Tasks that come in between notify nobody.
		sleep: func(q *queue, unlocked func()) { unlocked(); q.more.Wait() },
	}
)

func TestEverySuiteCatchesALoopThatBreaksWhatItChecks(t *testing.T) {
	cases := map[string][]faults{
		"GCPressure_Correctness":      {loseEvery(1000), twice},
		"MemoryLeak":                  {hoards},
		"MultiProducerStress":         {loseEvery(1000), twice, backwards, panickySubmit},
		"ConcurrentStop":              {onlyOneShutdown, panickyShutdown, runsOn, loseEvery(90)},
		"ConcurrentStop_WithSubmits":  {onlyOneShutdown, panickyShutdown, runsOn, endsThenRefuses},
		"ConcurrentStop_Repeated":     {onlyOneShutdown, panickyShutdown, runsOn, loseEvery(7)},
		"GojaImmediateBurst":          {loseEvery(40), backwards, twice},
		"GojaMixedWorkload":           {loseEvery(40)},
		"GojaNestedTimeouts":          {loseEvery(40)},
		"GojaPromiseChain":            {loseEvery(7)},
		"GojaTimerStress":             {loseEvery(40)},
		"PanicIsolation":              {diesOfPanics, skipsAfterPanic},
		"PanicIsolation_Multiple":     {diesOfPanics, skipsAfterPanic},
		"PanicIsolation_Internal":     {diesOfPanics, skipsAfterPanic},
		"ShutdownConservation":        {loseEvery(5000), twice},
		"ShutdownConservation_Stress": {loseEvery(5000), endsThenRefuses},
		"ShutdownConservation_Long":   {loseEvery(5000), endsThenRefuses},
		"RaceWakeup":                  {losesWakeups, loseEvery(3000)},
		"RaceWakeup_Aggressive":       {losesWakeups, loseEvery(300)},
		"SubmissionOrder":             {backwards, loseEvery(90), twice},
		"ContextEnd":                  {deaf},
		"ShutdownRefusal":             {neverRefuses, loseEvery(1000)},
		"ShutdownGivesUp":             {patientShutdown, panickyShutdown},
		"ShutdownBeforeRun":           {forgetsShutdown},
		"PriorityOrder":               {noPriority},
	}
	for _, s := range check.Suites() {
		if needsWhatTheQueueLacks(s) {
			continue // see contract_test.go
		}
		t.Run(s.Name, func(t *testing.T) {
			if len(cases[s.Name]) == 0 {
				t.Fatal("no broken loop")
			}
			s.Isolated = false // the child process has no broken loops
			for i, f := range cases[s.Name] {
				got := s.Check(t.Context(), broken(t, f), check.Options{Patience: impatience})
				if got.Status != result.Fail || got.Detail == "" {
					t.Errorf("fault %d: %s, %s", i, got.Status, got.Detail)
				}
				t.Logf("fault %d: %s", i, got.Detail)
			}
		})
	}
}

func TestTheQueueThatFaultsAreBuiltOnPassesEverySuite(t *testing.T) {
	for _, s := range check.Suites() {
		if s.Long || needsWhatTheQueueLacks(s) {
			continue
		}
		s.Isolated = false
		if got := s.Check(t.Context(), broken(t, faults{}), check.Options{}); got.Status != result.Pass {
			t.Errorf("%s: %s, %s", s.Name, got.Status, got.Detail)
		}
	}
}

// A hasty loop is a queue whose timers have a fault.
type hasty struct {
	*queue
	after func(q *queue, delay time.Duration, task func()) (cancel func())
}

func (l *hasty) AfterFunc(delay time.Duration, task func()) (func(), error) {
	return l.after(l.queue, delay, task), nil
}

func TestTheScriptSuitesCatchTimersThatAreEarlyRepeatedOrIgnoreTheirCancelling(t *testing.T) {
	later := func(q *queue, delay time.Duration, task func()) func() {
		timer := time.AfterFunc(delay, func() { _ = q.Submit(task) })
		return func() { timer.Stop() }
	}
	never := func(q *queue, delay time.Duration, task func()) func() { return func() {} }
	early := func(q *queue, delay time.Duration, task func()) func() { return later(q, 0, task) }
	for _, test := range []struct {
		suite check.Suite
		after func(q *queue, delay time.Duration, task func()) func()
	}{
		{check.GojaNestedTimeouts, early},
		{check.GojaNestedTimeouts, never},
		{check.GojaTimerStress, early},
		{check.GojaTimerStress, never},
		{check.GojaMixedWorkload, never},
	} {
		base := broken(t, faults{})
		c := contestant.Contestant{Name: "Hasty", New: func() (contestant.Loop, error) {
			q, err := base.New()
			return &hasty{q.(*queue), test.after}, err
		}}
		// A machine that is busy enough makes a loop that fires too early fire in time: it gets several chances to fail.
		var got result.Check
		for attempt := 0; attempt < 5 && got.Status != result.Fail; attempt++ {
			got = test.suite.Check(t.Context(), c, check.Options{Patience: impatience})
		}
		if got.Status != result.Fail {
			t.Errorf("%s: %s, %s", test.suite.Name, got.Status, got.Detail)
		}
	}
}

// fatal runs its tasks on a goroutine without recovery: a panic ends the process.
var fatal = contestant.Contestant{
	Name: "Fatal",
	New: func() (contestant.Loop, error) {
		q := &queue{done: make(chan struct{})}
		q.more.L = &q.mu
		q.run = func(_ *queue, task func()) {
			ran := make(chan struct{})
			go func() {
				task()
				close(ran)
			}()
			<-ran
		}
		return q, nil
	},
}

func TestAPanicThatEndsTheProcessEndsOnlyTheChildAndIsReported(t *testing.T) {
	for _, s := range []check.Suite{check.PanicIsolation, check.PanicIsolationMultiple, check.PanicIsolationInternal} {
		c := fatal
		got := s.Check(t.Context(), c, check.Options{})
		if want := "the loop ended before its Shutdown: the process died: exit status 2: panic: deliberate"; got.Status != result.Fail || got.Detail != want {
			t.Errorf("%s: %s, %s", s.Name, got.Status, got.Detail)
		}
		c.Panics = "it is made so"
		got = s.Check(t.Context(), c, check.Options{})
		if got.Status != result.Skip {
			t.Errorf("%s, the limit being stated: %s, %s", s.Name, got.Status, got.Detail)
		}
	}
}

func TestAChildThatCannotStartIsAFailureAndNoLimitOfTheContestant(t *testing.T) {
	c := fatal
	c.Panics = "it is made so"
	got := check.PanicIsolation.Check(t.Context(), c, check.Options{Exec: []string{"there-is-no-such-emulator"}})
	if got.Status != result.Fail || !strings.Contains(got.Detail, "does not start") || !strings.Contains(got.Detail, "-exec") {
		t.Errorf("%s, %s", got.Status, got.Detail)
	}
}

func TestAChildRunsUnderTheProgramThatItIsToldTo(t *testing.T) {
	if _, err := exec.LookPath("env"); err != nil {
		t.Skip("this system has no env to stand for an emulator")
	}
	got := check.PanicIsolation.Check(t.Context(), fatal, check.Options{Exec: []string{"env"}})
	if got.Status != result.Fail || !strings.Contains(got.Detail, "panic: deliberate") {
		t.Errorf("%s, %s", got.Status, got.Detail)
	}
	// The variable that env sets for the child shows that env ran.
	got = check.PanicIsolation.Check(t.Context(), fatal, check.Options{Exec: []string{"env", "EVENTLOOP_TOURNAMENT_CHECK=nonsense"}})
	if got.Status != result.Fail || !strings.Contains(got.Detail, "EVENTLOOP_TOURNAMENT_CHECK: ") {
		t.Errorf("%s, %s", got.Status, got.Detail)
	}
}

func TestAStatedLimitExcusesOnlyWhatItIsAbout(t *testing.T) {
	losing := broken(t, loseEvery(100))
	losing.Loses = "it was broken on purpose"
	hanging := broken(t, onlyOneShutdown)
	hanging.Loses, hanging.Panics = losing.Loses, losing.Loses
	repeating := broken(t, twice)
	repeating.Loses = losing.Loses
	fine := broken(t, faults{})
	fine.Loses = losing.Loses
	for _, test := range []struct {
		suite check.Suite
		c     contestant.Contestant
		want  result.Status
	}{
		{check.ShutdownConservation, losing, result.Skip},
		{check.ShutdownConservationStress, losing, result.Skip},
		{check.ConcurrentStopWithSubmits, losing, result.Skip},
		{check.ShutdownConservation, fine, result.Skip},
		{check.GCPressure, losing, result.Fail}, // it was not shut down meanwhile
		{check.ConcurrentStopWithSubmits, hanging, result.Fail},
		{check.ShutdownConservation, repeating, result.Fail},
	} {
		var o check.Options
		if test.want == result.Fail {
			o.Patience = impatience
		}
		if got := test.suite.Check(t.Context(), test.c, o); got.Status != test.want {
			t.Errorf("%s: %s, want %s: %s", test.suite.Name, got.Status, test.want, got.Detail)
		}
	}
}

func TestASuiteThatDoesNotApplySaysWhy(t *testing.T) {
	away := broken(t, faults{})
	away.Unavailable = "it is on holiday"
	plain := broken(t, faults{})
	made := plain.New
	plain.New = func() (contestant.Loop, error) {
		l, err := made()
		return struct{ contestant.Loop }{l}, err // no priority lane
	}
	for want, got := range map[string]result.Check{
		"not available on this system: it is on holiday": check.RaceWakeup.Check(t.Context(), away, check.Options{}),
		"needs priority lane":                            check.PanicIsolationInternal.Check(t.Context(), plain, check.Options{}),
	} {
		if got.Status != result.NA || got.Detail != want {
			t.Errorf("%s, %q; want %q", got.Status, got.Detail, want)
		}
	}
}

func TestRunTellsEveryOutcomeAndStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var told atomic.Int64
	suites := []check.Suite{check.GCPressure, check.PanicIsolationInternal, check.RaceWakeup}
	all := check.Run(ctx, suites, []contestant.Contestant{broken(t, faults{})}, check.Options{}, func(c result.Check) {
		if told.Add(1) == 2 {
			cancel()
		}
	})
	if len(all) != 2 || told.Load() != 2 {
		t.Errorf("%d outcomes, %d told", len(all), told.Load())
	}
}
