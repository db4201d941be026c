package stats

// LeastLead is the lead below which nothing is claimed, as a share of the leader's median: two builds of one program can
// differ by as much.
const LeastLead = 0.02

// Leads judges the first of several samples, which has the lowest median, against each of the others, and is what every
// table calls a win. It is [Faster] if Welch's t-test says so after the correction for the number of others, and the
// medians are more than [LeastLead] apart; [Unknown] if one of the two samples is too small to tell; otherwise [Tie].
func Leads(first []float64, others [][]float64, by Correction, alpha float64) []Verdict {
	tests := make([]*Comparison, len(others))
	for i, other := range others {
		c := Compare(first, other)
		tests[i] = &c
	}
	AdjustAll(tests, by)
	verdicts := make([]Verdict, len(others))
	for i, c := range tests {
		v := c.Verdict(alpha)
		if v == Slower || v == Faster && c.B.Median <= (1+LeastLead)*c.A.Median {
			v = Tie
		}
		verdicts[i] = v
	}
	return verdicts
}
