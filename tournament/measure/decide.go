package measure

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// DefaultBudget is the time that a run has to decide in, where no other is given.
const DefaultBudget = 2 * time.Minute

// unknownNeed is the number of processes that a category is taken to need before its first look.
const unknownNeed = 10

// replicaProcesses is the number of processes in which a replica takes part. It takes noise, and decides nothing.
const replicaProcesses = 7

// Decide measures in one process after another until every category has its verdict, the plan's budget is spent, or ctx ends. A rival
// with a verdict is sampled no longer. Where the time is too short for all, the categories that need least come first.
//
// With a fixed number of processes in the plan, each visits everything.
func Decide(ctx context.Context, p Plan, launch Launch, watch func(Progress)) (*result.File, error) {
	d := newDecision(&p)
	began := time.Now()
	for process := 1; ctx.Err() == nil; process++ {
		parts := d.next(p.Budget - time.Since(began))
		if parts == nil {
			break
		}
		visits := make(map[string]int)
		f, err := launch(ctx, Order{Process: process, Parts: parts}, func(now Progress) {
			if watch == nil || now.Category == "" {
				return
			}
			visits[now.Category]++
			now.Process = process
			now.Done, now.Total = d.progress(process, len(visits), len(parts), time.Since(began))
			now.Decided, now.Categories = d.closed(), len(d.categories)
			now.Left = max(0, p.Budget-time.Since(began))
			if p.Count > 0 {
				now.Left = time.Since(began) * time.Duration(now.Total-now.Done) / time.Duration(max(1, now.Done))
			}
			watch(now)
		})
		if err != nil {
			return d.file, fmt.Errorf("process %d: %w", process, err)
		}
		if err := d.add(f); err != nil {
			return d.file, fmt.Errorf("process %d %w", process, err)
		}
	}
	if d.file == nil {
		d.file = &result.File{Schema: result.Schema}
	}
	d.file.Interrupted = ctx.Err() != nil
	d.file.Protocol.Count = SliceCount
	return d.file, nil
}

// A decision is a run in progress.
type decision struct {
	plan       *Plan
	rule       stats.Rule
	categories []*contest
	file       *result.File
	row        map[[2]string]int // by category and contestant, into the file's rows
}

// A contest is a category and how far it has come.
type contest struct {
	name      string
	parts     []part // the subject first
	processes int
	need      int // processes in which the last verdict is to be expected
}

// A part is an entry of a contest.
type part struct {
	entry int
	open  bool
	n     int
	cost  time.Duration // of one process
}

func newDecision(p *Plan) *decision {
	d := &decision{plan: p, row: make(map[[2]string]int)}
	for i := range p.Entries {
		if e := &p.Entries[i]; len(d.categories) == 0 || d.categories[len(d.categories)-1].name != e.Category {
			d.categories = append(d.categories, &contest{name: e.Category, need: unknownNeed})
		}
		c := d.categories[len(d.categories)-1]
		c.parts = append(c.parts, part{entry: i, open: true, n: p.Entries[i].Fixed()})
	}
	d.rule = stats.Rule{Categories: len(d.categories), Level: p.Level}
	return d
}

func (c *contest) open() bool {
	return slices.ContainsFunc(c.parts, func(p part) bool { return p.open })
}

// cost is what one more process takes for the category.
func (c *contest) cost() (cost time.Duration) {
	for _, p := range c.parts {
		if p.open {
			cost += p.cost
		}
	}
	return cost
}

// togo is the time, in nanoseconds, until the category has had a number of processes: the next look at the earliest.
func (c *contest) togo(processes int) float64 {
	return float64(max(c.look(), processes)-c.processes) * float64(c.cost())
}

// look is the number of processes at the next look, or 0.
func (c *contest) look() int {
	for _, n := range stats.Looks {
		if n > c.processes {
			return n
		}
	}
	return 0
}

// next chooses what the next process visits; nil ends the run.
func (d *decision) next(left time.Duration) (parts []Part) {
	var open []*contest
	for _, c := range d.categories {
		if c.open() && c.look() > 0 && (d.plan.Count == 0 || c.processes < d.plan.Count) {
			open = append(open, c)
		}
	}
	if d.plan.Count == 0 {
		open = fitting(open, left)
	}
	for _, c := range d.categories { // in their order
		if !slices.Contains(open, c) {
			continue
		}
		for _, p := range c.parts {
			if p.open {
				parts = append(parts, Part{p.entry, p.n})
			}
		}
	}
	return parts
}

// fitting leaves those categories that are expected to have their verdicts in the time left, those with the least to go first: most
// categories get theirs that way. If there are none, it leaves those that can reach their next look. Categories that have cost nothing
// yet are of unknown cost.
func fitting(open []*contest, left time.Duration) []*contest {
	if left <= 0 {
		return nil
	}
	slices.SortStableFunc(open, func(a, b *contest) int { return cmp.Compare(a.togo(a.need), b.togo(b.need)) })
	within := func(goal func(c *contest) int) (fit []*contest) {
		left := float64(left)
		for _, c := range open {
			if left -= c.togo(goal(c)); left < 0 {
				break
			}
			fit = append(fit, c)
		}
		return fit
	}
	if fit := within(func(c *contest) int { return c.need }); fit != nil {
		return fit
	}
	return within((*contest).look)
}

// add takes in the samples of a process.
func (d *decision) add(f *result.File) error {
	for i := range f.Rows {
		for j := range f.Rows[i].Samples {
			f.Rows[i].Samples[j].Process = 1 // Join counts on
		}
	}
	if d.file == nil {
		d.file = f
	} else if err := d.file.Join(f); err != nil {
		return err
	}
	for i := range d.file.Rows {
		r := &d.file.Rows[i]
		d.row[[2]string{r.Category, r.Contestant}] = i
	}
	visited := make(map[string]bool)
	costs := make(map[[2]string]time.Duration)
	for i := range f.Rows {
		r := &f.Rows[i]
		visited[r.Category] = true
		costs[[2]string{r.Category, r.Contestant}] = r.Cost
	}
	for _, c := range d.categories {
		if !visited[c.name] {
			continue
		}
		c.processes++
		for i := range c.parts {
			p := &c.parts[i]
			r := d.rowOf(p)
			if r == nil {
				continue
			}
			if p.cost = costs[[2]string{r.Category, r.Contestant}]; len(r.Samples) == 0 {
				p.open = false // not applicable, or failed
				continue
			}
			p.n = r.Samples[0].N
		}
		d.judge(c)
	}
	return nil
}

func (d *decision) rowOf(p *part) *result.Row {
	e := &d.plan.Entries[p.entry]
	if i, ok := d.row[[2]string{e.Category, e.Contestant}]; ok {
		return &d.file.Rows[i]
	}
	return nil
}

// judge closes the parts of a category that have their verdict.
func (d *decision) judge(c *contest) {
	if d.plan.Count > 0 {
		return
	}
	if c.processes >= replicaProcesses {
		for i := range c.parts {
			if _, replica := result.ReplicaOf(d.plan.Entries[c.parts[i].entry].Contestant); replica {
				c.parts[i].open = false
			}
		}
	}
	if !stats.Looked(c.processes) {
		return
	}
	entrants := make([]stats.Entrant, 0, len(c.parts))
	for i := range c.parts {
		if r := d.rowOf(&c.parts[i]); r != nil {
			entrants = append(entrants, stats.EntrantOf(r))
		}
	}
	verdict := d.rule.Contest(entrants)
	needed := make(map[string]bool) // by variants that are open
	open := make(map[string]bool)
	behind := math.MaxInt32
	c.need = 0
	for i := range verdict.Rivals {
		if v := &verdict.Rivals[i]; verdict.Verdict != stats.Behind && v.Verdict == stats.Undecided {
			open[v.Name], needed[verdict.Subject] = true, true
			c.need = max(c.need, need(v))
			if v.Expected == stats.Behind {
				behind = min(behind, v.Need)
			}
		}
	}
	c.need = min(c.need, behind) // to be behind one decides the category
	for i := range verdict.Variants {
		if v := &verdict.Variants[i]; v.Verdict == stats.Undecided {
			open[v.Name] = true
			c.need = max(c.need, need(v))
			for j := range entrants {
				if entrants[j].Name == v.Name {
					needed[entrants[j].Family] = true
				}
			}
		}
	}
	for i := range c.parts {
		p := &c.parts[i]
		name := d.plan.Entries[p.entry].Contestant
		_, replica := result.ReplicaOf(name)
		p.open = p.open && (open[name] || needed[name] || replica && len(open) > 0)
	}
}

// need is the number of processes in which an open rival is expected to have its verdict.
func need(v *stats.Rival) int {
	if v.Need == 0 {
		return math.MaxInt32 // more of the same decides nothing
	}
	return v.Need
}

// closed counts the categories that have their verdict.
func (d *decision) closed() (n int) {
	for _, c := range d.categories {
		if !c.open() {
			n++
		}
	}
	return n
}

// progress is how far the run is, in thousandths of its budget.
func (d *decision) progress(process, visited, parts int, took time.Duration) (done, total int) {
	if d.plan.Count > 0 {
		return (process-1)*parts + min(parts, visited), d.plan.Count * parts
	}
	return int(min(1000, 1000*took/max(1, d.plan.Budget))), 1000
}
