package explore

import (
	"slices"
	"time"
)

// maxSteps is how many operations a run may take that has not been seen to end.
const maxSteps = 20_000

// Once runs body under the schedule that is made by itself, without any decision.
func Once(body func()) *Failure { return execute(&replay{}, maxSteps, false, body).failure }

// Random runs body under n schedules that come from seed, and returns the first failure, with how many were run.
func Random(seed uint64, n int, body func()) (ran int, f *Failure) {
	operations := 100
	for i := range n {
		r := execute(schedule(seed, i, operations), maxSteps, false, body)
		if r.failure != nil {
			return i + 1, r.failure
		}
		operations = r.steps
	}
	return n, nil
}

// schedule is number i of a series of random strategies for a program of so many operations.
func schedule(seed uint64, i, operations int) strategy {
	rng := mix(seed, uint64(i))
	every := [...]int{0, 0, 4, 16}[rng.Intn(4)]
	switch i % 3 {
	case 0:
		return &random{lapse: lapse{&rng, every}, every: 2 << rng.Intn(5)}
	case 1:
		return newPCT(&rng, rng.Intn(5), operations, every)
	default:
		return newLoaded(lapse{&rng, every}, 2<<rng.Intn(5))
	}
}

// Exhaust runs body under all schedules with at most bound preemptions, and returns how many there are, or the first
// failure. It gives up after most.
func Exhaust(bound, most int, body func()) (ran int, f *Failure) {
	s := &exhaust{bound: bound}
	for ran < most {
		ran++
		if r := execute(s, maxSteps, false, body); r.failure != nil {
			return ran, r.failure
		}
		if !s.another() {
			break
		}
	}
	return ran, nil
}

// Replay runs body with the decisions given, and records a trace. It returns nil if the run does not fail.
func Replay(decisions []Decision, body func()) *Failure { return replayTo(decisions, maxSteps, body) }

func replayTo(decisions []Decision, limit int, body func()) *Failure {
	return execute(&replay{rest: decisions}, limit, true, body).failure
}

// Shrink looks for a failure of the same class with fewer decisions, and with a trace.
func Shrink(f *Failure, body func()) *Failure { return shrinkTo(f, maxSteps, body) }

func shrinkTo(f *Failure, limit int, body func()) *Failure {
	best := shrink(f, limit, body)
	for bound := 0; bound < best.Preemptions(); bound++ {
		if fewer := exhaustFor(best, bound, limit, body); fewer != nil {
			best = shrink(fewer, limit, body)
			break
		}
	}
	if traced := replayTo(best.Decisions, limit, body); traced != nil {
		return traced
	}
	best.Message += "\n(a replay does not fail: the program does not do the same twice under the same schedule)"
	return best
}

// exhaustFor looks for a failure like f that needs no more than bound preemptions, for a while.
func exhaustFor(f *Failure, bound, limit int, body func()) *Failure {
	s := &exhaust{bound: bound}
	deadline := time.Now().Add(shrinkTime)
	for range 3000 {
		if time.Now().After(deadline) {
			break
		}
		if got := execute(s, limit, false, body).failure; got != nil && got.class() == f.class() {
			return got
		}
		if !s.another() {
			break
		}
	}
	return nil
}

// shrink leaves out chunks of decisions as long as the run fails in the same way, and smaller and smaller ones.
func shrink(f *Failure, limit int, body func()) *Failure {
	try := func(ds []Decision) *Failure {
		got := execute(&replay{rest: ds}, limit, false, body).failure
		if got == nil || got.class() != f.class() || len(got.Decisions) > len(f.Decisions) {
			return nil
		}
		return got
	}
	if got := try(f.Decisions); got != nil {
		f = got
	}
	for size := max(len(f.Decisions)/2, 1); ; size = max(size/2, 1) {
		smaller := false
		for i := len(f.Decisions); i > 0; i -= size {
			i = min(i, len(f.Decisions))
			ds := slices.Delete(slices.Clone(f.Decisions), max(i-size, 0), i)
			if got := try(ds); got != nil && len(got.Decisions) < len(f.Decisions) {
				f, smaller = got, true
			}
		}
		if size == 1 && !smaller {
			return f
		}
	}
}
