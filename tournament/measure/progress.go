package measure

import "time"

// A Progress says how far a run has come.
type Progress struct {
	// Category and Contestant come next; they are empty at the end.
	Category, Contestant string

	// Process counts from 1 to Processes. Both are 0 if all is measured in one process.
	Process, Processes int

	// Decided counts the categories that have their verdict, of Categories; both are 0 where none is sought.
	Decided, Categories int

	// Round is 0 during the calibration, then counts from 1.
	Round, Rounds int

	// Done and Total count steps: one calibration and Rounds samples for every entry.
	Done, Total int

	// Left is the time that the rest will take, judged by the earlier steps.
	Left time.Duration
}

// report tells the watch that e is next in the given round.
func (r *run) report(e *state, round int) {
	if r.watch == nil {
		return
	}
	p := Progress{
		Round:  round,
		Rounds: r.plan.Count,
		Done:   r.done,
		Total:  len(r.entries) * (r.plan.Count + 1),
		Left:   r.left(),
	}
	if e != nil {
		p.Category, p.Contestant = e.Category, e.Contestant
	}
	r.watch(p)
}

// left adds up what each entry still has to do. An entry that was not calibrated yet costs what the plan hopes for.
func (r *run) left() time.Duration {
	var left time.Duration
	samples := r.plan.Count * len(r.entries)
	if past := r.done - len(r.entries); past > 0 {
		samples -= past
	}
	for i := range r.entries {
		e := &r.entries[i]
		switch {
		case e.out:
		case e.lap == 0:
			left += r.plan.Benchtime * time.Duration(r.plan.Count+1)
		default:
			// Rounds go through all entries: each has its share of the samples left.
			left += e.lap * time.Duration(samples) / time.Duration(len(r.entries))
		}
	}
	return left
}
