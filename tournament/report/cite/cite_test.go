package cite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/report/cite"
	"github.com/eventloop-go/eventloop/tournament/result"
)

func results(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	f := &result.File{Environment: result.Environment{GOOS: "linux", GOARCH: "amd64"}}
	for _, category := range []string{"PingPong", "MicroWakeupSyscall_Running"} {
		for i, name := range []string{"Main", "Baseline"} {
			r := result.Row{Category: category, Kind: result.KindLoop, Contestant: name}
			for j := range 5 {
				r.Samples = append(r.Samples, result.Sample{Process: j + 1, Round: 1, N: 1000, NsPerOp: 1234 * (1 + 2*float64(i)), BytesPerOp: 0.2, AllocsPerOp: 3.4,
					Metrics: map[string]float64{"handlers/op": 2}})
			}
			f.Rows = append(f.Rows, r)
		}
	}
	if _, err := f.Save(filepath.Join(dir, "run")); err != nil {
		t.Fatal(err)
	}
	text := "goos: linux\ngoarch: amd64\n" + strings.Repeat("BenchmarkRegister/All-2 10 52.25 ns/op 7.5 B/registered\n", 3)
	if err := os.WriteFile(filepath.Join(dir, "log.txt"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestAFigureIsWhatTheResultsSay(t *testing.T) {
	dir := results(t)
	for expression, want := range map[string]string{
		"PingPong/Main": "1,234", "PingPong/Baseline ÷ PingPong/Main": "3", "PingPong/Main ÷ PingPong/Baseline": "0.33",
		"PingPong/Main[B/op]": "0", "PingPong/Main[allocs/op]": "3", "PingPong/Main[handlers/op]": "2", "PingPong/Main * 0.01 ÷ 10": "1.2",
		"categories(loop)": "2", "first(Main,loop)": "2", "first(Baseline,loop)": "0",
	} {
		page := "<!--results: run-->\n| a <!--cite: " + expression + "-->old<!--end--> b |\n"
		got, err := cite.Page(page, dir)
		if err != nil || got != strings.Replace(page, "old", want, 1) {
			t.Errorf("%s: %q, %v; want %s", expression, got, err, want)
		}
	}
	got, err := cite.Page("<!--results: log.txt--><!--cite: Register/All-->1<!--end-->, <!--cite: Register/All[B/registered]-->1<!--end--><!--results: run-->, <!--cite: PingPong/Main-->1<!--end-->.", dir)
	if err != nil || !strings.Contains(got, ">52.2<") || !strings.Contains(got, ">7.50<") || !strings.Contains(got, ">1,234<") {
		t.Errorf("%q, %v", got, err)
	}
}

func TestAClaimThatDoesNotHoldIsNamedWithItsLine(t *testing.T) {
	dir := results(t)
	for condition, holds := range map[string]bool{
		"PingPong/Main < PingPong/Baseline": true, "PingPong/Baseline > 3.1 * PingPong/Main": false, "PingPong/Baseline >= 2.9 * PingPong/Main": true,
		"PingPong/Baseline <= 2.9 * PingPong/Main": false, "first(Main,loop) > 1": true,
	} {
		page := "text\n<!--results: run-->\n\nclaim <!--holds: " + condition + "--> and <!--cite: PingPong/Main-->1<!--end-->"
		got, err := cite.Page(page, dir)
		if (err == nil) != holds || err != nil && !strings.Contains(err.Error(), "line 4: it is not shown that "+condition) {
			t.Errorf("%s: %v", condition, err)
		}
		if !strings.HasSuffix(got, "-->1,234<!--end-->") {
			t.Errorf("the other figures are not brought up to date: %q", got)
		}
	}
}

func TestAConditionOnTimesHasToHoldOverItsIntervalOnEachOccasion(t *testing.T) {
	dir := results(t)
	// In a second run Main takes as long, and Baseline between 0.8 and 4 times as long.
	f, err := result.Load(filepath.Join(dir, "run"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.Rows {
		if f.Rows[i].Contestant != "Baseline" {
			continue
		}
		for j, factor := range []float64{0.8, 4, 1, 3, 2} {
			f.Rows[i].Samples[j].NsPerOp = 1234 * factor
		}
	}
	if _, err := f.Save(filepath.Join(dir, "wide")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		results, condition string
		shown              bool
	}{
		{"run", "PingPong/Main < PingPong/Baseline", true},
		{"wide", "PingPong/Main < PingPong/Baseline", false},
		{"wide", "PingPong/Main < 10 * PingPong/Baseline", true},
		{"run, wide", "PingPong/Main < PingPong/Baseline", false},
		{"run, wide", "PingPong/Main < 10 * PingPong/Baseline", true},
		{"wide", "PingPong/Baseline ÷ PingPong/Main > 1", false},
		{"wide", "PingPong/Main[allocs/op] >= 3", true}, // a count has no interval
		{"log.txt", "Register/All < 60", true},
		{"log.txt", "Register/All < 50", false},
	} {
		_, err := cite.Page("<!--results: "+c.results+"--><!--holds: "+c.condition+"-->", dir)
		if (err == nil) != c.shown {
			t.Errorf("%s in %s: %v", c.condition, c.results, err)
		}
	}
}

func TestMarksThatCannotBeReadAreNamedAndTheirTextStays(t *testing.T) {
	dir := results(t)
	for mark, want := range map[string]string{
		"<!--cite: PingPong/Nobody-->7<!--end-->":        "has no PingPong/Nobody",
		"<!--cite: PingPong/Main[parsecs]-->7<!--end-->": "has no PingPong/Main[parsecs]",
		"<!--cite: PingPong/Main +  1-->7<!--end-->":     `"+" is no operator`,
		"<!--cite: PingPong/Main ÷-->7<!--end-->":        "no operand",
		"<!--cite: PingPong/Main ÷ 0-->7<!--end-->":      "is no number",
		"<!--cite: second(Main,loop)-->7<!--end-->":      "no function second",
		"<!--cite: categories(promise)-->7<!--end-->":    "no ranked categories",
		"<!--cite: PingPong/Main-->7 and nothing":        "<!--end--> is missing",
		"<!--holds: PingPong/Main-->":                    "has none of <",
		"<!--holds: PingPong/Main < PingPong/Nobody-->":  "has no PingPong/Nobody",
	} {
		page := "<!--results: run-->" + mark
		if got, err := cite.Page(page, dir); err == nil || !strings.Contains(err.Error(), want) || got != page {
			t.Errorf("%s: %q, %v", mark, got, err)
		}
	}
	if _, err := cite.Page("<!--cite: A/B-->7<!--end-->", dir); err == nil || !strings.Contains(err.Error(), "has to come before") {
		t.Error(err)
	}
	if _, err := cite.Page("<!--results: nowhere-->", dir); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Error(err)
	}
}
