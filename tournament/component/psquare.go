package component

import "slices"

// A PSquare estimates one quantile of a stream in five markers, by the P² algorithm of Jain and Chlamtac (1985). It
// is the published loop's way, and the rival of the product's histogram. It takes less memory and is read at once. It
// bounds no error, does more at each value, needs an estimator for each quantile, and two of them cannot be added.
type PSquare struct {
	q       float64
	n       int
	height  [5]float64
	at      [5]float64 // the markers' positions
	desired [5]float64
}

// NewPSquare makes an estimator of the q-quantile.
func NewPSquare(q float64) *PSquare { return &PSquare{q: q} }

// Record adds a value.
func (p *PSquare) Record(v float64) {
	if p.n < 5 {
		p.height[p.n] = v
		if p.n++; p.n == 5 {
			slices.Sort(p.height[:])
			p.at = [5]float64{0, 1, 2, 3, 4}
			p.desired = [5]float64{0, 2 * p.q, 4 * p.q, 2 + 2*p.q, 4}
		}
		return
	}
	p.n++
	h := &p.height
	cell := 0
	switch {
	case v < h[0]:
		h[0] = v
	case v >= h[4]:
		h[4], cell = v, 3
	default:
		for v >= h[cell+1] {
			cell++
		}
	}
	for i := cell + 1; i < 5; i++ {
		p.at[i]++
	}
	for i, step := range [5]float64{0, p.q / 2, p.q, (1 + p.q) / 2, 1} {
		p.desired[i] += step
	}
	for i := 1; i <= 3; i++ {
		off := p.desired[i] - p.at[i]
		switch {
		case off >= 1 && p.at[i+1]-p.at[i] > 1:
			p.move(i, 1)
		case off <= -1 && p.at[i-1]-p.at[i] < -1:
			p.move(i, -1)
		}
	}
}

// move moves a marker by one position, along a parabola through its neighbours or, if that leaves their order, a line.
func (p *PSquare) move(i int, by float64) {
	h, at := &p.height, &p.at
	moved := h[i] + by/(at[i+1]-at[i-1])*((at[i]-at[i-1]+by)*(h[i+1]-h[i])/(at[i+1]-at[i])+(at[i+1]-at[i]-by)*(h[i]-h[i-1])/(at[i]-at[i-1]))
	if moved <= h[i-1] || moved >= h[i+1] {
		j := i + int(by)
		moved = h[i] + by*(h[j]-h[i])/(at[j]-at[i])
	}
	h[i] = moved
	at[i] += by
}

// Quantile returns the estimate, 0 if there are no values.
func (p *PSquare) Quantile() float64 {
	if p.n == 0 {
		return 0
	}
	if p.n < 5 {
		sorted := slices.Sorted(slices.Values(p.height[:p.n]))
		return sorted[int(p.q*float64(p.n-1)+0.5)]
	}
	return p.height[2]
}
