package parse

import (
	"bytes"
	"math"
	"testing"
)

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		clean,
		"BenchmarkX-2 \tnoise\n 10\t5 ns/op\n",
		"noiseBenchmarkX-2 10 5 ns/op 3 B/op 1 allocs/op",
		`{"platform":"p","benchmarks":[{"name":"BenchmarkA-10","runs":[{"ns_op":1,"b_op":0,"allocs_op":0}]}]}`,
		`{"schema":"eventloop-tournament/1","rows":[{"category":"c","contestant":"m","samples":[{"n":1,"ns_per_op":2}]}]}`,
		"Unit ns/op better=lower\nBenchmark<script>alert(1)</script> 1 1 ns/op\n",
		"\xff\xfe", "{", "[", "BenchmarkX 1 NaN ns/op",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in, err := Read("fuzz", bytes.NewReader(data))
		if (in == nil) == (err == nil) {
			t.Fatalf("input %v and error %v", in, err)
		}
		if err != nil {
			return
		}
		lines := bytes.Count(data, []byte("\n")) + 1
		for _, r := range in.Rows {
			if r.Name == "" {
				t.Error("a row without a name")
			}
			for _, s := range r.Samples {
				if math.IsNaN(s.Ns) || s.Ns < 0 || s.Ns > MaxFigure || s.Line < 1 || s.Line > lines {
					t.Errorf("%s: sample %+v of %d lines", r.Name, s, lines)
				}
			}
		}
		for _, i := range in.Issues {
			if i.Line < 0 || i.Line > lines {
				t.Errorf("issue %v of %d lines", i, lines)
			}
		}
	})
}
