package histogram

// Counts is a copy of the counts of a histogram, limited to its buckets in use. It never changes. Nil is an empty
// one.
type Counts struct {
	first  int // the bucket that counts begins with
	counts []uint64
	total  uint64
	max    uint64
	sum    float64
}

// Counts returns a copy, or nil if the histogram is empty. It takes 8 bytes for each bucket between the least value and the
// largest: 15 KB at most.
func (h *Histogram) Counts() *Counts {
	if h.count == 0 {
		return nil
	}
	first, last := Buckets-h.above, bucket(h.max)
	c := &Counts{first: first, counts: make([]uint64, last-first+1), total: h.count, max: h.max, sum: h.sum}
	copy(c.counts, h.counts[first:])
	return c
}

// Count returns how many values there are.
func (c *Counts) Count() uint64 {
	if c == nil {
		return 0
	}
	return c.total
}

// Max returns the largest value. After Sub it is the upper end of its bucket, where the value itself is not known.
func (c *Counts) Max() int64 {
	if c == nil {
		return 0
	}
	return int64(c.max)
}

// Sum returns the sum of the values.
func (c *Counts) Sum() float64 {
	if c == nil {
		return 0
	}
	return c.sum
}

// Sub returns the counts since earlier, an older copy of the same histogram.
func (c *Counts) Sub(earlier *Counts) *Counts {
	if earlier == nil {
		return c
	}
	if c == nil || c.total <= earlier.total {
		return nil
	}
	d := &Counts{first: c.first, counts: append([]uint64(nil), c.counts...), total: c.total - earlier.total, sum: max(c.sum-earlier.sum, 0), max: c.max}
	for i, n := range earlier.counts {
		d.counts[earlier.first+i-c.first] -= n
	}
	last := len(d.counts) - 1
	for last > 0 && d.counts[last] == 0 {
		last--
	}
	d.counts = d.counts[:last+1]
	if c.max == earlier.max {
		d.max = min(upper(d.first+last), c.max)
	}
	for d.counts[0] == 0 {
		d.first, d.counts = d.first+1, d.counts[1:]
	}
	return d
}

// Add returns both together.
func (c *Counts) Add(other *Counts) *Counts {
	if c == nil {
		return other
	}
	if other == nil {
		return c
	}
	first := min(c.first, other.first)
	end := max(c.first+len(c.counts), other.first+len(other.counts))
	sum := &Counts{first: first, counts: make([]uint64, end-first), total: c.total + other.total, max: max(c.max, other.max), sum: c.sum + other.sum}
	for _, from := range []*Counts{c, other} {
		for i, n := range from.counts {
			sum.counts[from.first+i-first] += n
		}
	}
	return sum
}

// Quantile computes a quantile as [Histogram.Quantiles] does.
func (c *Counts) Quantile(q float64) int64 {
	if c == nil {
		return 0
	}
	rank := uint64(q * float64(c.total))
	if float64(rank) < q*float64(c.total) {
		rank++
	}
	rank = min(max(rank, 1), c.total)
	seen := uint64(0)
	for i, n := range c.counts {
		if seen += n; seen >= rank {
			return int64(min(middle(c.first+i), c.max))
		}
	}
	return int64(c.max)
}

// AtMost returns the number of values in buckets that end at v or before. It leaves out the values in the bucket that
// v divides.
func (c *Counts) AtMost(v int64) (n uint64) {
	if c == nil || v < 0 {
		return 0
	}
	if uint64(v) >= c.max {
		return c.total
	}
	for i, in := range c.counts {
		if upper(c.first+i) > uint64(v) {
			break
		}
		n += in
	}
	return n
}

// upper is the largest value of a bucket.
func upper(i int) uint64 {
	if i < 2*sub {
		return uint64(i)
	}
	shift := i>>subBits - 1
	return uint64(i-shift<<subBits+1)<<shift - 1
}
