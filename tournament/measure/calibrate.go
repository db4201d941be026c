package measure

import (
	"time"

	"github.com/eventloop-go/eventloop/tournament/result"
)

// calibrate finds, once per entry and process, the number of operations that fill a sample, and what a sample costs. All
// samples of the process then have that number, so they are alike.
func (e *state) calibrate(p *Plan, hint int) {
	if e.Applicable != nil {
		reason, err := e.Applicable()
		if err != nil {
			e.fail(err)
			return
		}
		if reason != "" {
			e.out = true
			e.row.NotApplicable = reason
			return
		}
	}
	if e.Burst > 0 && hint == e.whole(1) {
		e.n = hint // the least that a sample may have, and in the process before it was long enough
		return
	}
	length := p.benchtime(e.Entry)
	enough := length / 4
	var last result.Sample // the one before, if it was long enough and did not tell what an operation takes
	n := e.whole(10)
	if hint > 0 {
		n = e.whole(max(1, hint*3/10))
	}
	for {
		began := time.Now()
		s, err := e.guarded(n, p)
		lap := time.Since(began)
		if err != nil {
			e.fail(err)
			return
		}
		long := s.Elapsed >= enough || n >= maxN
		grown := last.N > 0 && s.Elapsed >= 2*last.Elapsed
		doubt := !grown && !expected(n, hint, s.Elapsed, length) && length >= shortest && s.Elapsed >= time.Duration(n)*doubtful && s.Elapsed < longestWait
		if long && doubt {
			last = s
			n = e.whole(4 * n)
			continue
		}
		if long {
			e.n = e.whole(scale(n, s.Elapsed, length))
			e.lap = max(0, lap+length-s.Elapsed)
			return
		}
		// Overshoot a little; and no further than a hundredfold, for the first runs are mostly set-up.
		n = e.whole(min(max(scale(n, s.Elapsed, enough*6/5), n+1), 100*n))
	}
}

// expected reports whether n operations took what they should if hint operations fill a sample, give or take a third. Then
// an operation takes what it took in the process before, which has found no fixed wait to speak of.
func expected(n, hint int, elapsed, benchtime time.Duration) bool {
	if hint == 0 {
		return false
	}
	share := float64(elapsed) / float64(benchtime) * float64(hint) / float64(n)
	return share > 2./3 && share < 4./3
}

const maxN = 1_000_000_000

// A few operations may fill a sample because each takes long, or because something is waited for once, such as the
// fixed sleep of a published category. If an operation seems to take more than is likely, four times as many are tried:
// if they take as long, the number goes up. No category waits for as long as longestWait.
const (
	doubtful    = time.Microsecond
	longestWait = 250 * time.Millisecond
)

// scale gives the number of operations that take as long as goal if n took elapsed.
func scale(n int, elapsed, goal time.Duration) int {
	scaled := float64(n) * float64(goal) / float64(max(elapsed, 1))
	return max(1, int(min(scaled, maxN)))
}

// whole rounds n up to whole bursts.
func (e *state) whole(n int) int {
	if e.Burst == 0 {
		return n
	}
	return (n + e.Burst - 1) / e.Burst * e.Burst
}
