// Package histogram estimates quantiles of a stream of durations in memory that does not grow.
package histogram

import (
	"math/bits"
)

const (
	subBits = 5
	sub     = 1 << subBits // buckets in each power of two

	// Buckets is the number of counters of a histogram.
	Buckets = sub * (64 - subBits)

	group = 16 // buckets whose sum is kept
)

// Error is the largest relative error of a quantile: half the width of a bucket, against its lower end.
const Error = 1.0 / (2 * sub)

// A Histogram counts values in buckets of logarithmic width, each power of two cut into equal parts, as HDR
// histograms do. A quantile read from it is within [Error] of a value that was recorded at that rank. Values below 32
// are exact, and so are count, maximum and, up to floating point, mean.
//
// Sketches that adapt to the data, such as P², need less memory. But they bound only the error of the rank, or
// nothing. They cost more at each record, and two of them cannot be added.
//
// The zero value is empty and ready. It is not safe for concurrent use.
type Histogram struct {
	counts [Buckets]uint64
	groups [Buckets / group]uint64 // sums of counts, for Quantiles
	above  int                     // Buckets, less the number of the lowest one in use; 0 for an empty histogram
	count  uint64
	max    uint64
	sum    float64
}

// Record adds a value. Negative ones count as zero.
func (h *Histogram) Record(v int64) { h.RecordShared(v, 1) }

// RecordShared adds so many values of which only the sum is known, and of which each counts as the mean.
func (h *Histogram) RecordShared(sum int64, times uint64) {
	u := uint64(max(sum, 0))
	each := u
	if times > 1 {
		each /= times
	}
	i := bucket(each)
	h.counts[i] += times
	h.groups[i/group] += times
	h.above = max(h.above, Buckets-i)
	h.count += times
	h.sum += float64(u)
	h.max = max(h.max, each)
}

// bucket maps a value to its counter. A value below sub has the counter of that number. Others are mapped by the
// position of the leading bit and the subBits that follow it.
func bucket(u uint64) int {
	shift := max(bits.Len64(u)-subBits-1, 0)
	return shift<<subBits + int(u>>shift)
}

// middle is the value that represents a bucket.
func middle(i int) uint64 {
	if i < 2*sub {
		return uint64(i)
	}
	shift := i>>subBits - 1
	return uint64(i-shift<<subBits)<<shift + 1<<shift/2
}

// Count returns how many values were recorded.
func (h *Histogram) Count() uint64 { return h.count }

// Max returns the largest value.
func (h *Histogram) Max() int64 { return int64(h.max) }

// Mean returns the arithmetic mean, 0 if there are no values.
func (h *Histogram) Mean() float64 {
	if h.count == 0 {
		return 0
	}
	return h.sum / float64(h.count)
}

// Quantiles writes the quantile for each of qs, which ascend in (0, 1], to out, in one pass over the buckets in use. The
// quantile q of n values is the one of rank ⌈q·n⌉. An empty histogram has zeros.
func (h *Histogram) Quantiles(qs []float64, out []int64) {
	if h.count == 0 {
		clear(out[:len(qs)])
		return
	}
	g, below := (Buckets-h.above)/group, uint64(0)
	for k, q := range qs {
		rank := uint64(q * float64(h.count))
		if float64(rank) < q*float64(h.count) {
			rank++
		}
		rank = min(max(rank, 1), h.count)
		for below+h.groups[g] < rank {
			below += h.groups[g]
			g++
		}
		i, seen := g*group, below
		for _, n := range h.counts[i : i+group] {
			if seen += n; seen < rank {
				i++
			}
		}
		out[k] = int64(min(middle(i), h.max))
	}
}

// Reset empties the histogram.
func (h *Histogram) Reset() { *h = Histogram{} }
