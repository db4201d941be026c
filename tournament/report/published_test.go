package report

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/text"
)

func TestEveryRowOfThePublishedComparisonIsReproduced(t *testing.T) {
	tables, _ := readPublished(t, comparison)
	r, _ := Compare(open(t, "darwin.json", "linux.json"), Options{})
	want := find(t, tables, "Full Statistical Comparison Table")
	if len(want) != 108 {
		t.Fatalf("%d published rows", len(want))
	}
	full := ours(t, r, "All rows")
	if len(full.Rows) != 108 {
		t.Fatalf("%d rows of ours", len(full.Rows))
	}
	columns := []string{"darwin ns/op", "darwin CV", "linux ns/op", "linux CV", "Lower mean", "Ratio"}
	for k, name := range columns {
		got := column(t, full, name)
		for _, w := range want {
			text := w[k+2]
			switch name {
			case "Lower mean":
				text = side(text)
			case "Ratio":
				text = factor(text)
			}
			if got[w[1]] != text {
				t.Errorf("%s, %s: %s, published %s", w[1], name, got[w[1]], text)
			}
		}
	}
}

func TestEveryCategoryOfThePublishedComparisonIsReproduced(t *testing.T) {
	tables, text := readPublished(t, comparison)
	_, after, _ := strings.Cut(text, "## Performance by Category")
	after, _, _ = strings.Cut(after, "## Statistically")
	r, _ := Compare(open(t, "darwin.json", "linux.json"), Options{})
	heads := regexp.MustCompile(`(?m)^### (.+) \((\d+) benchmarks\)\n\n- Darwin wins: (\d+)/\d+\n- Linux wins: (\d+)/\d+\n- Darwin category mean: ([\d,.]+) ns/op\n- Linux category mean: ([\d,.]+) ns/op`).FindAllStringSubmatch(after, -1)
	if len(heads) != 6 {
		t.Fatalf("%d published categories", len(heads))
	}
	seen := 0
	for _, h := range heads {
		var list render.List
		for _, s := range r.Sections {
			if s.Title == h[1] {
				list = s.Blocks[0].(render.List)
			}
		}
		if list == nil {
			t.Fatalf("no category %s", h[1])
		}
		if want := fmt.Sprintf("darwin has the lower mean in %s of %s rows", h[3], h[2]); !strings.HasPrefix(list[0], want) {
			t.Errorf("%s: %s, published %s", h[1], list[0], want)
		}
		if want := fmt.Sprintf("linux has it in %s and", h[4]); !strings.Contains(list[0], want) {
			t.Errorf("%s: %s, published %s", h[1], list[0], want)
		}
		if want := fmt.Sprintf("darwin %s ns/op, linux %s ns/op", h[5], h[6]); !strings.Contains(list[2], want) {
			t.Errorf("%s: %s, published %s", h[1], list[2], want)
		}
		rows := find(t, tables, h[1]+" (")
		mine := ours(t, r, h[1])
		if len(rows) != len(mine.Rows) {
			t.Fatalf("%s: %d rows, published %d", h[1], len(mine.Rows), len(rows))
		}
		for i, w := range rows {
			label, _, _ := strings.Cut(mine.Rows[i][0].Text, " (")
			got := []string{label, mine.Rows[i][1].Text, mine.Rows[i][2].Text, mine.Rows[i][3].Text, mine.Rows[i][4].Text}
			if want := []string{w[0], w[1], w[2], side(w[3]), factor(w[4])}; !slices.Equal(got, want) {
				t.Errorf("%s, row %d: %v, published %v", h[1], i+1, got, want)
			}
			seen++
		}
	}
	if seen != 108 {
		t.Errorf("%d rows in categories", seen)
	}
}

func TestTheKeyMetricsOfThePublishedComparisonAreReproduced(t *testing.T) {
	r, _ := Compare(open(t, "darwin.json", "linux.json"), Options{})
	got := column(t, ours(t, r, "Key metrics"), "darwin / linux")
	for name, want := range map[string]string{
		"Rows both have": "108", "Only in darwin": "0", "Only in linux": "0",
		"Lower mean, noise or not: darwin": "55", "Lower mean, noise or not: linux": "53", "Equal means": "0",
		"Median ratio": "0.999×", "Arithmetic mean of the ratios, as published": "0.980×",
		"Arithmetic mean of all times, as published: darwin": "27,508.22", "Arithmetic mean of all times, as published: linux": "80,983.90",
		"Ratio below 0.9": "37", "Ratio 0.9 to 1.1": "44", "Ratio above 1.1": "27",
	} {
		if got[name] != want {
			t.Errorf("%s: %q, published %s", name, got[name], want)
		}
	}
}

func TestTheAllocationsOfThePublishedComparisonAreReproduced(t *testing.T) {
	tables, doc := readPublished(t, comparison)
	r, _ := Compare(open(t, "darwin.json", "linux.json"), Options{})
	rates := ours(t, r, "Allocations").Rows[0]
	for i, want := range []string{"darwin / linux", "108", "97", "89.8%", "78", "72.2%", "46"} {
		if rates[i].Text != want {
			t.Errorf("allocation figure %d: %s, published %s", i, rates[i].Text, want)
		}
	}
	for _, c := range []struct{ published, mine string }{
		{"Allocation Mismatches", "Different allocs/op: darwin and linux"}, {"B/op Mismatches", "Different B/op: darwin and linux"},
	} {
		want, mine := find(t, tables, c.published), ours(t, r, c.mine)
		if len(want) != len(mine.Rows) {
			t.Fatalf("%s: %d rows, published %d", c.mine, len(mine.Rows), len(want))
		}
		for i, w := range want {
			label, _, _ := strings.Cut(mine.Rows[i][0].Text, " (")
			got := []string{label}
			for _, cell := range mine.Rows[i][1:4] {
				// The published figures are rounded half to even after the difference was taken without its sign.
				got = append(got, text.Thousands(math.RoundToEven(math.Abs(cell.Value)), 0))
			}
			if !slices.Equal(got, w) {
				t.Errorf("%s: %v, published %v", c.mine, got, w)
			}
		}
	}
	zero := regexp.MustCompile("(?m)^- `(Benchmark[^`]+)` — Darwin: ([\\d.,]+) ns/op, Linux: ([\\d.,]+) ns/op").FindAllStringSubmatch(doc, -1)
	mine := ours(t, r, "Without allocation everywhere")
	if len(zero) != 46 || len(mine.Rows) != 46 {
		t.Fatalf("%d rows without allocation, published %d", len(mine.Rows), len(zero))
	}
	for i, w := range zero {
		label, _, _ := strings.Cut(mine.Rows[i][0].Text, " (")
		if label != w[1] || mine.Rows[i][1].Text != w[2] || mine.Rows[i][2].Text != w[3] {
			t.Errorf("row %d without allocation: %v, published %v", i, mine.Rows[i], w)
		}
	}
}

func TestFastestAndStabilityOfThePublishedComparisonAreReproduced(t *testing.T) {
	tables, text := readPublished(t, comparison)
	r, _ := Compare(open(t, "darwin.json", "linux.json"), Options{})
	k := 0
	for _, s := range r.Sections {
		if s.Title != "Fastest ten" {
			continue
		}
		for _, b := range s.Blocks {
			x := b.(*render.Table)
			want := find(t, tables, map[string]string{"darwin": "Darwin", "linux": "Linux"}[x.Title])
			for i, w := range want {
				for j := range w {
					if x.Rows[i][j].Text != w[j] {
						t.Errorf("fastest of %s, rank %d: %s, published %s", x.Title, i+1, x.Rows[i][j].Text, w[j])
					}
				}
				k++
			}
		}
	}
	if k != 20 {
		t.Errorf("%d rows of the fastest", k)
	}
	want, mine := find(t, tables, "High-Variance Benchmarks"), ours(t, r, "Stability")
	if len(want) != len(mine.Rows) {
		t.Fatalf("%d unstable rows, published %d", len(mine.Rows), len(want))
	}
	for i, w := range want {
		for j, cell := range mine.Rows[i] {
			label, _, _ := strings.Cut(cell.Text, " (")
			if published := strings.TrimSpace(strings.ReplaceAll(w[j], "⚠️", "!")); label != published {
				t.Errorf("unstable row %d: %s, published %s", i, label, published)
			}
		}
	}
	for _, n := range []string{"24", "29", "28"} {
		if !strings.Contains(text, "**"+n+"**") {
			t.Fatalf("%s is not published", n)
		}
	}
	for _, s := range r.Sections {
		if s.Title == "Stability" {
			if got := strings.Join(s.Blocks[0].(render.List), " "); got != "Rows with a CV below 2% in every input: 24. Rows with a CV above 5% in darwin: 29. Rows with a CV above 5% in linux: 28." {
				t.Error(got)
			}
		}
	}
}

func TestThreePlatformsFlagTheirConfounds(t *testing.T) {
	r, a := Compare(open(t, "darwin.json", "linux.json", "windows.json"), Options{})
	if len(a.Pairs) != 3 {
		t.Fatalf("%d pairs", len(a.Pairs))
	}
	want := map[string]string{"architecture": "arm64 (darwin and linux) and amd64 (windows)", "GOMAXPROCS": "10 (darwin and linux) and 16 (windows)"}
	for _, s := range r.Sections {
		if s.Title == "The answer" {
			if trust := s.Blocks[0].(render.List)[3]; !strings.Contains(trust, "The machines differ in architecture and GOMAXPROCS") {
				t.Errorf("the first lines do not say it: %s", trust)
			}
		}
		if s.Title != "Findings" {
			continue
		}
		blocks := s.Blocks
		for _, b := range s.Blocks {
			if folded, ok := b.(render.Folded); ok {
				blocks = append(blocks, folded.Blocks...)
			}
		}
		for _, b := range blocks {
			fs, _ := b.(render.FindingList)
			for _, f := range fs {
				if w := want[f.Subject]; f.Kind == findings.Confound && w != "" && strings.Contains(f.Text, w) {
					delete(want, f.Subject)
				}
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("not flagged: %v", want)
	}
	if n := len(ours(t, r, "All rows").Rows); n != 108 {
		t.Errorf("%d rows", n)
	}
}
