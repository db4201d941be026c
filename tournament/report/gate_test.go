package report

import (
	"strings"
	"testing"
)

func TestFailOnIsForRegressionsThatAreLargeAndSure(t *testing.T) {
	f := files(t, bench(100), bench(104), bench(130), bench(70))
	for _, c := range []struct {
		then, now, limit string
		code             int
		says             string
	}{
		{f[0], f[2], "5%", 1, "BenchmarkSubmit is 30.0% slower"},
		{f[0], f[2], "40%", 0, ""},
		{f[0], f[1], "5%", 0, ""},
		{f[0], f[1], "2%", 1, "1 regression of more than 2%"},
		{f[0], f[3], "5%", 0, ""},
		{f[0], f[0], "2%", 0, ""},
	} {
		// The flag may stand behind the inputs.
		code, out, errs := run(compare, c.then, c.now, "-fail-on", "regression="+c.limit)
		if code != c.code || !strings.Contains(errs, c.says) || c.says == "" && errs != "" || out == "" {
			t.Errorf("%+v: exit %d, %s", c, code, errs)
		}
	}
}

func TestAGateThatCannotSeeIsAnError(t *testing.T) {
	one := "BenchmarkA-2 1 100 ns/op\n"
	f := files(t, one, strings.ReplaceAll(one, "100", "900"))
	code, _, errs := run(compare, "-fail-on", "regression=5%", f[0], f[1])
	if code != 2 || !strings.Contains(errs, "run the benchmarks with -count=5 or more") {
		t.Errorf("exit %d, %s", code, errs)
	}
	f = files(t, bench(100), "execution: emulated\n"+bench(100))
	code, _, errs = run(compare, "-fail-on", "regression=5%", f[0], f[1])
	if code != 2 || !strings.Contains(errs, "one ran native, the other emulated") {
		t.Errorf("exit %d, %s", code, errs)
	}
}

func TestAReportWithABaselineIsAGateToo(t *testing.T) {
	f := files(t, bench(100), bench(130))
	code, out, errs := run(reporter, "-baseline", f[0], "-fail-on", "regression=5%", f[1])
	if code != 1 || !strings.Contains(errs, "BenchmarkSubmit is 30.0% slower") || !strings.Contains(out, "Change since the earlier run") {
		t.Errorf("exit %d, %s", code, errs)
	}
	code, out, _ = run(reporter, "-narrative", "-baseline", f[0], f[1])
	if code != 0 || !strings.Contains(out, "Change since the earlier run") {
		t.Errorf("exit %d, %s", code, out)
	}
}

func TestTheGateJudgesSamplesWithoutVariation(t *testing.T) {
	steady := func(ns string) string { return strings.Repeat("BenchmarkA-2 10 "+ns+" ns/op\n", 5) }
	f := files(t, steady("100"), steady("120"), steady("102"))
	for _, c := range []struct {
		now  string
		code int
	}{{f[0], 0}, {f[1], 1}, {f[2], 0}} {
		if code, _, errs := run(compare, "-fail-on", "regression=5%", f[0], c.now); code != c.code || (errs != "") != (code != 0) {
			t.Errorf("%s: exit %d, %s", c.now, code, errs)
		}
	}
}

func TestTheGateNamesWhatItCouldNotCompare(t *testing.T) {
	single := "BenchmarkSingle-2 10 100 ns/op\n"
	f := files(t, bench(100)+single+"BenchmarkGone-2 10 5 ns/op\n", bench(100)+strings.Replace(single, "100", "900", 1)+"BenchmarkNew-2 10 5 ns/op\nBenchmarkNewer-2 10 5 ns/op\n", "BenchmarkElse-2 10 5 ns/op\n")
	code, _, errs := run(compare, "-fail-on", "regression=5%", f[0], f[1])
	if code != 0 || !strings.Contains(errs, "1 row of") || !strings.Contains(errs, "could not be tested for want of samples") ||
		!strings.Contains(errs, "1 row only in linux/amd64 (run0) and 2 rows only in linux/amd64 (run1) could not be compared") {
		t.Errorf("exit %d, %s", code, errs)
	}
	code, _, errs = run(compare, "-fail-on", "regression=5%", f[0], f[2])
	if code != 2 || !strings.Contains(errs, "have no row in common") {
		t.Errorf("exit %d, %s", code, errs)
	}
}

func TestSeveralRunsFindTheirBaselinesByPlatform(t *testing.T) {
	on := func(goarch string, ns float64) string {
		return strings.Replace(bench(ns), "goarch: amd64", "goarch: "+goarch, 1)
	}
	f := files(t, on("amd64", 100), on("386", 100), on("amd64", 100), on("386", 140), on("arm64", 100))
	amdThen, x86Then, amdNow, x86Now, arm := f[0], f[1], f[2], f[3], f[4]
	// In any order.
	code, out, errs := run(reporter, "-format", "md", "-baseline", x86Then, "-baseline", amdThen, "-fail-on", "regression=5%", amdNow, x86Now)
	if code != 1 || strings.Count(errs, "regression: ") != 1 || !strings.Contains(errs, "slower in linux/386, now") {
		t.Errorf("exit %d, %s", code, errs)
	}
	for _, want := range []string{"## Change since the earlier run: linux/amd64", "## Change since the earlier run: linux/386"} {
		if !strings.Contains(out, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	// A run without a baseline is shown without a change, and cannot pass the gate.
	if code, out, errs = run(reporter, "-format", "md", "-baseline", amdThen, amdNow, arm); code != 0 || strings.Count(out, "## Change since") != 1 {
		t.Errorf("exit %d, %s", code, errs)
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"-baseline", amdThen, "-fail-on", "regression=5%", amdNow, arm}, "which has no -baseline"},
		{[]string{"-baseline", arm, amdNow, x86Now}, "is of linux/arm64 native, and none of the runs is; they are of linux/amd64 native and linux/386 native"},
		{[]string{"-baseline", amdThen, "-baseline", amdThen, amdNow, x86Now}, "are both of linux/amd64 native; give one for each platform"},
	} {
		if code, out, errs := run(reporter, c.args...); code != 2 || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("%v: exit %d, %s", c.args, code, errs)
		}
	}
}

func TestIssuesOfTheBaselineAreShownToo(t *testing.T) {
	f := files(t, bench(100)+"BenchmarkBroken-2 10 12\n", bench(100))
	if _, out, _ := run(reporter, "-format", "html", "-baseline", f[0], f[1]); !strings.Contains(out, "missing unit") {
		t.Error("the unparsable line of the baseline is not shown")
	}
}
