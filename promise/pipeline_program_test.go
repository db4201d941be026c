package promise_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// An act is the work of one random step: it fulfils, rejects, panics or returns no promise, after some virtual time.
type act struct {
	after time.Duration
	how   int // 0 to 3
}

var errWork = errors.New("work")

const (
	fulfils = iota
	rejects
	panics
	returnsNil
)

func randomAct(r *rand.Rand, fails int) act {
	a := act{after: time.Duration(r.IntN(40)) * time.Millisecond}
	if r.IntN(100) < fails {
		a.how = 1 + r.IntN(3)
	}
	if a.how > rejects {
		a.after = 0
	}
	return a
}

// perform is the work. It ignores the end of its context, so the model need not predict cancelled work.
func (a act) perform(loop *eventloop.Loop) intPromise {
	switch a.how {
	case panics:
		panic(errPanic)
	case returnsNil:
		return nil
	}
	p := promise.Sleep(bg, loop, a.after)
	return promise.Then(p, func(struct{}) (int, error) {
		if a.how == rejects {
			return 0, errWork
		}
		return 1, nil
	})
}

// fits reports whether err is the error of the work.
func (a act) fits(err error) bool {
	var panicked *eventloop.PanicError
	switch a.how {
	case rejects:
		return errors.Is(err, errWork)
	case panics:
		return errors.As(err, &panicked) && errors.Is(err, errPanic)
	case returnsNil:
		return errors.Is(err, promise.ErrNilPromise)
	}
	return err == nil
}

const pipelinePrograms = 150

func TestRandomMapsDoWhatAListOfPlacesDoes(t *testing.T) {
	for seed := range uint64(pipelinePrograms) {
		name := []string{"Map", "MapSeq", "MapChan"}[seed%3]
		r := rand.New(rand.NewPCG(seed, 1))
		acts := make([]act, r.IntN(30))
		fails := []int{0, 3, 20}[r.IntN(3)]
		for i := range acts {
			acts[i] = randomAct(r, fails)
			if acts[i].how <= rejects {
				acts[i].after += time.Duration(i) * time.Microsecond // no two at the same moment
			}
		}
		limit := 1 + r.IntN(len(acts)+3)
		// The model: a place is free when its work is done; the next item takes the first free place.
		places := make([]time.Duration, len(acts))
		if limit < len(places) {
			places = places[:limit]
		}
		end, first := time.Duration(math.MaxInt64), -1
		var last time.Duration
		begun := make([]time.Duration, len(acts))
		for i, a := range acts {
			slices.Sort(places)
			begun[i] = places[0]
			places[0] += a.after
			last = max(last, places[0])
			if a.how != fulfils && places[0] < end {
				end, first = places[0], i
			}
		}
		onVirtualTime(t, func(t *testing.T, loop *eventloop.Loop) {
			start := time.Now()
			calls, running, most := make([]time.Duration, 0, len(acts)), 0, 0
			items := make([]int, len(acts))
			for i := range items {
				items[i] = i
			}
			var given context.Context
			got, err := mapped[name](bg, loop, limit, items, func(ctx context.Context, i int) intPromise {
				given = ctx
				if len(calls) != i {
					t.Errorf("seed %d: item %d begins as number %d", seed, i, len(calls))
				}
				calls = append(calls, time.Since(start))
				running++
				most = max(most, running)
				p := acts[i].perform(loop)
				if p == nil {
					return nil
				}
				return promise.Then(p, func(int) (int, error) { running--; return i, nil })
			}).Wait(bg)
			took := time.Since(start)
			if most > limit {
				t.Errorf("seed %d: %d at a time, the limit is %d", seed, most, limit)
			}
			for i, at := range calls {
				if at != begun[i] || at > end {
					t.Errorf("seed %d: item %d begins after %v, want %v", seed, i, at, begun[i])
				}
			}
			switch {
			case first < 0 && (err != nil || !slices.Equal(got, items) || took != last):
				t.Errorf("seed %d: %v, %v after %v, want %v", seed, got, err, took, last)
			case first >= 0 && (took != end || got != nil || !slices.ContainsFunc(acts, func(a act) bool { return a.how != fulfils && a.fits(err) })):
				t.Errorf("seed %d: %v, %v after %v, want the error of %d after %v", seed, got, err, took, first, end)
			}
			time.Sleep(time.Hour) // work left pending ends, and begins nothing
			if given != nil && given.Err() == nil {
				t.Errorf("seed %d: the context does not end with the mapping", seed)
			}
			if n := len(calls); first >= 0 && n > 0 && calls[n-1] > end {
				t.Errorf("seed %d: an item began after the error", seed)
			}
		})
	}
}

func TestRandomRetriesDoWhatALoopDoes(t *testing.T) {
	for seed := range uint64(pipelinePrograms) {
		r := rand.New(rand.NewPCG(seed, 2))
		acts := make([]act, 12)
		for i := range acts {
			acts[i] = randomAct(r, 80)
		}
		acts[len(acts)-1].how = fulfils
		chances := make([]float64, len(acts))
		for i := range chances {
			chances[i] = r.Float64()
		}
		drawn := 0
		policy := promise.RetryPolicy{
			Attempts: r.IntN(14) - 1,
			Delay:    []time.Duration{0, -1, time.Millisecond, time.Second, math.MaxInt64 / 2}[r.IntN(5)],
			Factor:   []float64{0, -1, 0.5, 1, 3, 1e300, math.Inf(1), math.NaN()}[r.IntN(8)],
			MaxDelay: []time.Duration{0, 3 * time.Millisecond, time.Minute}[r.IntN(3)],
			Jitter:   []float64{0, -1, 0.3, 1, 7, math.NaN()}[r.IntN(6)],
			Rand:     func() float64 { drawn++; return chances[drawn-1] },
		}
		limit := []time.Duration{time.Millisecond / 2, 700 * time.Millisecond, 24 * time.Hour}[r.IntN(3)] + time.Nanosecond
		onVirtualTime(t, func(t *testing.T, loop *eventloop.Loop) {
			ctx, cancel := context.WithTimeoutCause(bg, limit, errBad)
			defer cancel()
			start := time.Now()
			var begun, ended []time.Duration
			got, err := promise.Retry(ctx, loop, policy, func(context.Context) intPromise {
				a := acts[len(begun)]
				begun = append(begun, time.Since(start))
				ended = append(ended, time.Since(start)+a.after)
				return a.perform(loop)
			}).Wait(bg)
			took, n := time.Since(start), len(begun)
			for i := 1; i < n; i++ {
				least, most := retryDelay(policy, i)
				if d := begun[i] - ended[i-1]; d < least-1 || d > most+1 {
					t.Errorf("seed %d: delay %d is %v, want %v … %v", seed, i, d, least, most)
				}
			}
			attempts := map[bool]int{true: 3, false: policy.Attempts}[policy.Attempts == 0]
			switch last := acts[n-1]; {
			case last.how == fulfils:
				if got != 1 || err != nil || took != ended[n-1] {
					t.Errorf("seed %d: %d, %v after %v", seed, got, err, took)
				}
			case !last.fits(err):
				t.Errorf("seed %d: %v is not of the last attempt, %v", seed, err, last)
			case errors.Is(err, errBad): // the time was over: at once in a delay, at the end of an attempt
				if took != max(limit, ended[n-1]) {
					t.Errorf("seed %d: stopped after %v, the limit is %v, the last attempt ended after %v", seed, took, limit, ended[n-1])
				}
			case last.how == rejects && n != attempts || took != ended[n-1]:
				t.Errorf("seed %d: gave up after %d attempts and %v: %v", seed, n, took, fmt.Sprint(policy.Attempts, ended))
			}
		})
	}
}

// retryDelay is how long the delay after an attempt may be.
func retryDelay(p promise.RetryPolicy, attempt int) (least, most time.Duration) {
	d, factor := float64(p.Delay), p.Factor
	switch {
	case p.Delay < 0:
		return 0, 0
	case p.Delay == 0:
		d = 1e8
	}
	if !(factor > 0) {
		factor = 2
	}
	for range attempt - 1 {
		d *= factor
	}
	if p.MaxDelay > 0 {
		d = min(d, float64(p.MaxDelay))
	}
	low := d
	if p.Jitter > 0 {
		low = d * (1 - min(p.Jitter, 1))
	}
	clamp := func(d float64) time.Duration {
		if d < math.MaxInt64 {
			return time.Duration(d)
		}
		return math.MaxInt64 - 1
	}
	return clamp(low), clamp(d)
}
