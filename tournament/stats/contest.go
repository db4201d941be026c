package stats

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
)

// An Entrant is one contestant in one category: what a [Rule] compares.
type Entrant struct {
	Name string
	// Family is the name of the family's default member; the entrant is a variant if that is another. Empty means its own.
	Family string
	// Replica says that it is a second entry of another contestant: a measure of noise that competes with nobody.
	Replica bool
	// Points are the slices; none if the contestant has no figures.
	Points []Point
	// Cost is what one more process takes for the entrant; 0 if that is not known.
	Cost time.Duration
}

// Variant reports whether the entrant is there to show the cost of one difference within its family.
func (e *Entrant) Variant() bool { return e.Family != "" && e.Family != e.Name }

// A Rival is one comparison of a category: the subject against a contestant of another family, or against a variant of its own.
type Rival struct {
	Name string
	Outcome
	// More is the time that the processes to a verdict are expected to take; 0 if that is not known.
	More time.Duration
	// Modes are those of the subject and of the rival, where one has modes that keep the comparison from a verdict.
	Modes []NamedModes
}

// NamedModes are the modes of a contestant.
type NamedModes struct {
	Name string
	Modes
}

// A Contest is the judgement of a category on its subject: the default member of the first family that takes part.
type Contest struct {
	Subject string
	// Rivals are the default members of the other families, the one nearest to being ahead of the subject first.
	Rivals []Rival
	// Variants are the other members of all families, each compared with the default member of its own: the ratio is the variant's
	// time to the default member's.
	Variants []Rival
	// Replica is the second entry's time to that of the subject; its verdict says nothing.
	Replica *Rival
	Verdict Verdict

	retracted bool
}

// Contest decides a category among entrants, the subject first.
func (r Rule) Contest(entrants []Entrant) Contest {
	var c Contest
	if len(entrants) == 0 {
		return c
	}
	subject := &entrants[0]
	c.Subject = subject.Name
	rivals := 0
	for i := range entrants[1:] {
		if e := &entrants[1+i]; len(e.Points) > 0 && !e.Replica && !e.Variant() {
			rivals++
		}
	}
	var verdicts []Verdict
	for i := range entrants[1:] {
		e := &entrants[1+i]
		if len(e.Points) == 0 || len(subject.Points) == 0 && !e.Variant() {
			continue
		}
		switch {
		case e.Replica:
			again := r.Compare(e, subject, 1)
			c.Replica = &again
			c.Replica.Name = e.Name
		case e.Variant():
			if at := slices.IndexFunc(entrants, func(d Entrant) bool { return d.Name == e.Family }); at >= 0 && len(entrants[at].Points) > 0 {
				v := r.Compare(e, &entrants[at], 1)
				v.Name = e.Name
				c.Variants = append(c.Variants, v)
			}
		default:
			c.Rivals = append(c.Rivals, r.Compare(subject, e, rivals))
			verdicts = append(verdicts, c.Rivals[len(c.Rivals)-1].Verdict)
		}
	}
	c.Verdict = All(verdicts)
	slices.SortStableFunc(c.Rivals, func(a, b Rival) int { return cmp.Compare(b.Ratio, a.Ratio) })
	return c
}

// Retract takes the verdicts back, because the control of the run has failed.
func (c *Contest) Retract() {
	c.retracted, c.Verdict = true, Undecided
	for _, rs := range [][]Rival{c.Rivals, c.Variants} {
		for i := range rs {
			rs[i].Verdict = Undecided
		}
	}
}

// Best is the rival that decides: whose time the subject's is the largest share of, among those with the verdict of the category. It is
// nil without rivals.
func (c *Contest) Best() *Rival {
	for i := range c.Rivals {
		if c.Rivals[i].Verdict == c.Verdict {
			return &c.Rivals[i]
		}
	}
	if len(c.Rivals) > 0 {
		return &c.Rivals[0]
	}
	return nil
}

// Compare decides between a subject and one of its rivals. Where slices of either fall into modes, the middle half of a process
// misleads, and there is a verdict only if the plain means agree with it.
func (r Rule) Compare(subject, rival *Entrant, rivals int) Rival {
	a, b := clusters(subject.Points), clusters(rival.Points)
	v := Rival{Name: rival.Name}
	logs, paired := common(a, b)
	if paired {
		v.Outcome = r.Paired(logs, rivals)
	} else {
		v.Outcome = r.Separate(values(a), values(b))
	}
	for _, e := range []*Entrant{subject, rival} {
		if m, ok := ModesOf(times(e.Points)); ok {
			v.Modes = append(v.Modes, NamedModes{e.Name, m})
		}
	}
	if v.Modes != nil && r.Agrees(v.Verdict, times(subject.Points), times(rival.Points)) {
		v.Modes = nil
	}
	if v.Modes != nil {
		v.Verdict, v.Need = Undecided, 0
	}
	if cost := subject.Cost + rival.Cost; v.Need > v.N && subject.Cost > 0 {
		v.More = min(maxMore, time.Duration(v.Need-v.N)*min(cost, maxMore/time.Duration(v.Need-v.N)))
	}
	return v
}

// maxMore is a time beyond which nobody waits.
const maxMore = 1000 * time.Hour

// common returns the logarithms of the ratios in the processes that both have, and reports whether they can be paired at all.
func common(a, b []cluster) (logs []float64, paired bool) {
	at := make(map[cluster]float64, len(b))
	for _, c := range b {
		if c.process == 0 {
			return nil, false
		}
		at[cluster{process: c.process, round: c.round}] = c.log
	}
	for _, c := range a {
		if log, ok := at[cluster{process: c.process, round: c.round}]; ok && c.process > 0 {
			logs = append(logs, c.log-log)
		}
	}
	return logs, len(logs) > 0
}

func times(ps []Point) []float64 {
	out := make([]float64, len(ps))
	for i, p := range ps {
		out[i] = p.X
	}
	return out
}

// ReplicaConfidence is that of the interval by which [Control] judges.
const ReplicaConfidence = 0.99

// Control judges the replicas of a table: with the ratio of each category, it returns the mean and its interval, and whether that
// contains 1. It does not where a run prefers one of two entries of the same program: then none of its verdicts hold.
func Control(ratios []float64) (v Interval, ok bool) {
	logs := make([]float64, len(ratios))
	for i, x := range ratios {
		logs[i] = math.Log(x)
	}
	v = Plain(logs, ReplicaConfidence)
	return v, !(v.Lo > 1) && !(v.Hi < 1)
}

// String says the verdict with the ratio to the rival that decides, such as "ahead: 0.46 (0.41–0.52) of Channel".
func (c *Contest) String() string {
	best := c.Best()
	if best == nil {
		return "without a rival"
	}
	if c.retracted {
		return fmt.Sprintf("no verdict, control failed: %s of %s", best.Interval, best.Name)
	}
	text := fmt.Sprintf("%s: %s of %s", c.Verdict, best.Interval, best.Name)
	if c.Verdict != Undecided {
		return text
	}
	// The rival that is undecided is what keeps the category from a verdict.
	for _, r := range c.Rivals {
		if r.Verdict != Undecided {
			continue
		}
		if r.Modes != nil { // the interval is one of two things
			return fmt.Sprintf("undecided against %s: %s", r.Name, r.Modes[0])
		}
		text = fmt.Sprintf("undecided: %s–%s of %s", Times(r.Lo), Times(r.Hi), r.Name)
		if math.IsNaN(r.Lo) {
			text = fmt.Sprintf("undecided: %s of %s", Times(r.Ratio), r.Name)
		}
		switch {
		case r.Need >= 10*Looks[len(Looks)-1] || r.More >= time.Hour:
			return text
		case r.More > 0:
			return fmt.Sprintf("%s, about %s more", text, max(time.Second, r.More.Round(time.Second)))
		case r.Need > r.N:
			return fmt.Sprintf("%s, about %d processes more", text, r.Need-r.N)
		}
		return text
	}
	return text
}

// String describes the modes.
func (m NamedModes) String() string {
	return m.Name + " takes " + m.Modes.String()
}

// Overall is the geometric mean of the ratios of pairs of times, such as those of a subject to one rival in several categories, with its
// 95 % interval. It takes the processes that measured all of them, so that neither how long a category was sampled nor what all have in
// common in a process biases it. Where there are no two such processes, the interval is that over the pairs.
func Overall(pairs [][2][]Point) Interval {
	sums, counts := make(map[int]float64), make(map[int]int)
	var each []float64
	for _, p := range pairs {
		a, b := clusters(p[0]), clusters(p[1])
		each = append(each, mean(values(a))-mean(values(b)))
		at := make(map[int]float64, len(b))
		for _, c := range b {
			at[c.process] = c.log
		}
		for _, c := range a {
			if log, ok := at[c.process]; ok && c.process > 0 && c.round == 0 {
				sums[c.process] += c.log - log
				counts[c.process]++
			}
		}
	}
	var whole []float64
	for _, process := range slices.Sorted(maps.Keys(sums)) {
		if counts[process] == len(pairs) {
			whole = append(whole, sums[process]/float64(len(pairs)))
		}
	}
	if len(whole) < 2 {
		whole = each
	}
	return Plain(whole, Confidence)
}
