package histogram

import (
	"encoding/binary"
	"slices"
	"testing"
)

// near reports whether two values may be of one bucket.
func near(a, b int64) bool { return float64(max(a-b, b-a)) <= 2*Error*float64(max(a, b)) }

// A histogram of any values agrees with the sorted values, and its windows and sums with their parts.
func FuzzCounts(f *testing.F) {
	f.Add([]byte{}, uint8(0))
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 127}, uint8(1))
	f.Add(slices.Repeat([]byte{3, 0, 200, 0, 0, 0, 0, 0}, 9), uint8(4))
	f.Add([]byte("000000000000000 "), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, cut uint8) {
		var whole, window Histogram
		var earlier *Counts
		var values []int64
		for i := 0; i+8 <= len(data); i += 8 {
			if len(values) == int(cut) {
				earlier = whole.Counts()
			}
			v := int64(binary.LittleEndian.Uint64(data[i:]))
			whole.Record(v)
			if len(values) >= int(cut) {
				window.Record(v)
			}
			values = append(values, max(v, 0))
		}
		c := whole.Counts()
		if c.Count() != uint64(len(values)) {
			t.Fatalf("%d values, want %d", c.Count(), len(values))
		}
		if len(values) == 0 {
			return
		}
		slices.Sort(values)
		for _, q := range []float64{0.01, 0.5, 0.99, 1} {
			rank := int(q * float64(len(values)))
			if float64(rank) < q*float64(len(values)) {
				rank++
			}
			want := values[max(rank, 1)-1]
			if got := c.Quantile(q); float64(max(got-want, want-got)) > Error*float64(want)+1 {
				t.Fatalf("quantile %v is %d, want %d", q, got, want)
			}
		}
		if len(values) <= int(cut) {
			return
		}
		d, w := c.Sub(earlier), window.Counts()
		// The largest value of a window may be known by its bucket only, and no quantile is above it.
		if d.Count() != w.Count() || !near(d.Quantile(0.5), w.Quantile(0.5)) || d.Max() < w.Max() || !near(d.Max(), w.Max()) {
			t.Fatalf("a window of %d, median %d, max %d; want %d, %d, %d", d.Count(), d.Quantile(0.5), d.Max(), w.Count(), w.Quantile(0.5), w.Max())
		}
		if sum := earlier.Add(d); sum.Count() != c.Count() || !near(sum.Quantile(0.5), c.Quantile(0.5)) || sum.AtMost(values[0]) != c.AtMost(values[0]) {
			t.Fatal("the parts are not the whole")
		}
	})
}
