package measure

import (
	"context"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/eventloop-go/eventloop/tournament/environment"
	"github.com/eventloop-go/eventloop/tournament/guard"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// SliceCount is the number of slices that a process takes of a row, after one to warm up. Short slices that take turns beat one long
// sample of the same cost threefold: what disturbs the machine for a moment reaches few of them.
const SliceCount = 8

// fewSlices is their number where each takes longSlice or more. Such a slice is a mean over many time slices, so that processes are
// the better use of the time.
const (
	fewSlices = 4
	longSlice = 30 * time.Millisecond
)

// SliceTime is how long a slice takes, about, where its number of operations is not fixed yet.
const SliceTime = 2 * time.Millisecond

// NameSlices is the name of the protocol of [Slices].
const NameSlices = "slices"

// fixed are the numbers of operations in a slice: lines of a category, a contestant and a number that took about [SliceTime] on a
// machine with two cores. A number drawn for each process would be the worst noise of all, for the time of an operation depends on it.
//
//go:embed operations.txt
var operations string

var fixed = sync.OnceValue(func() map[string]int {
	all := make(map[string]int)
	for line := range strings.Lines(operations) {
		var category, contestant string
		var n int
		if _, err := fmt.Sscan(line, &category, &contestant, &n); err == nil {
			all[category+" "+contestant] = n
		}
	}
	return all
})

// Fixed is the number of operations in a slice of the entry, or 0 where it is not known beforehand. A replica has that of its first
// entry.
func (e *Entry) Fixed() int {
	contestant, _ := result.ReplicaOf(e.Contestant)
	if n := fixed()[e.Category+" "+contestant]; n > 0 {
		return n
	}
	return fixed()[e.Category+" *"]
}

// slices is the number of slices that a process takes of the entry.
func (p *Plan) slices(e *Entry) int {
	if p.benchtime(e) >= longSlice {
		return fewSlices
	}
	return SliceCount
}

// A Part is an entry that a process visits.
type Part struct {
	Entry int `json:"entry"` // index into the plan's
	N     int `json:"n"`     // operations in a slice, or 0 if the process is to find a number
}

// Slices visits the parts of an order: in each category every entry takes a slice to warm up, and then [SliceCount], or fewer if they
// are long, in rounds of random order. If ctx ends, categories that are not done are left out.
func Slices(ctx context.Context, p Plan, env result.Environment, watch func(Progress)) *result.File {
	f := &result.File{
		Schema:      result.Schema,
		Environment: env,
		Protocol: result.Protocol{Benchtime: p.Benchtime, Count: SliceCount, Order: result.OrderInterleaved, Seed: p.Seed,
			Name: NameSlices, Processes: 1, Level: p.Level, Budget: p.Budget},
		About: about(p.Entries),
	}
	order := rand.New(rand.NewPCG(p.Seed, uint64(p.process()-1)))
	entries := make([]state, len(p.Parts))
	for i, part := range p.Parts {
		entries[i] = state{Entry: &p.Entries[part.Entry], row: p.Entries[part.Entry].row(), n: part.N}
	}
	for _, category := range categories(entries) {
		if watch != nil {
			watch(Progress{Category: category[0].Category})
		}
		if !slicesOf(ctx, &p, category, order) {
			f.Interrupted = true
			break
		}
		for _, e := range category {
			f.Rows = append(f.Rows, e.row)
		}
	}
	f.Environment.LoadAfter = environment.Load()
	return f
}

// slicesOf reports whether it came to the end.
func slicesOf(ctx context.Context, p *Plan, category []*state, order *rand.Rand) bool {
	found := make(map[string]int) // replicas have the numbers of their first entries
	for _, e := range category {
		if ctx.Err() != nil {
			return false
		}
		first, _ := result.ReplicaOf(e.Contestant)
		if e.n == 0 {
			e.n = found[first]
		}
		began := time.Now()
		e.warm(p)
		e.row.Cost += time.Since(began)
		found[first] = e.n
	}
	turns := slices.Clone(category)
	rounds := 0
	for _, e := range category {
		rounds = max(rounds, p.slices(e.Entry))
	}
	for round := 1; round <= rounds; round++ {
		order.Shuffle(len(turns), func(i, j int) { turns[i], turns[j] = turns[j], turns[i] })
		for _, e := range turns {
			if ctx.Err() != nil {
				return false
			}
			if e.out {
				continue
			}
			began := time.Now()
			collect()
			s, err := e.slice(e.n, p)
			e.row.Cost += time.Since(began)
			if err != nil {
				e.fail(err)
				continue
			}
			s.Process, s.Round = p.process(), round
			e.row.Samples = append(e.row.Samples, s)
		}
	}
	return true
}

// leftover is the garbage, in bytes, with which a slice may begin. The runtime collects at 4 MB or later.
const leftover = 1 << 20

var allocated = []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}

// collected is what had been allocated at the last collection.
var collected uint64

// collect collects what slices have left behind, so that no contestant sweeps up after another. A collection takes about as long as a
// slice, so that a little garbage is let be.
func collect() {
	metrics.Read(allocated)
	if allocated[0].Value.Uint64()-collected < leftover {
		return
	}
	runtime.GC()
	metrics.Read(allocated)
	collected = allocated[0].Value.Uint64()
}

// warm finds the number of operations if it is not known, and takes the slice that does not count, with all checks.
func (e *state) warm(p *Plan) {
	if e.n == 0 {
		e.calibrate(p, 0)
		if e.out {
			return
		}
	}
	if p.process() == 1 { // a fault shows in any process, and the checks take longer than a slice
		if _, err := e.guarded(e.n, p); err != nil {
			e.fail(err)
		}
		return
	}
	n := e.n
	if p.slices(e.Entry) == fewSlices {
		n = e.whole(max(1, n/4)) // that is long enough
	}
	if _, err := e.slice(n, p); err != nil {
		e.fail(err)
	}
}

// slice takes one slice.
func (e *state) slice(n int, p *Plan) (result.Sample, error) {
	if e.Slice == nil {
		return e.guarded(n, p)
	}
	s, err := e.Slice(n, p.patience())
	if err == nil {
		if err = guard.Sample(s, n); err != nil {
			err = fmt.Errorf("%s on %s: %w", e.Category, e.Contestant, err)
		}
	}
	return s, err
}
