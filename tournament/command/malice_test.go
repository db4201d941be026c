package command_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/command"
)

// sound is a result with a row of each sort, to be spoiled.
const sound = `{"schema":"eventloop-tournament/2","environment":{"goos":"linux"},"protocol":{"count":1},"rows":[
{"category":"PingPong","kind":"loop","contestant":"Main","samples":[{"process":1,"round":1,"n":10,"ns_per_op":5},{"process":2,"round":1,"n":10,"ns_per_op":6}]},
{"category":"PingPong","kind":"loop","contestant":"Baseline","samples":[{"process":1,"round":1,"n":10,"ns_per_op":8},{"process":2,"round":1,"n":10,"ns_per_op":9}]},
{"category":"Load/cost=10us/rate=50k","kind":"load","contestant":"Main","samples":[{"process":1,"round":1,"n":10,"ns_per_op":7,"metrics":{"p99-ns":7,"sustained":1}}]}]}`

func TestResultsThatCannotBeAreRefusedWithAReason(t *testing.T) {
	dir := t.TempDir()
	read := func(name, text string, args ...string) outcome {
		path := filepath.Join(dir, strings.ReplaceAll(name, " ", "-")+".json")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return run(t, t.Context(), everything(), append(args, path)...)
	}
	commands := [][]string{{"table"}, {"choose"}, {"choose", "-table"}}
	for _, args := range commands {
		if got := read("sound", sound, args...); got.code != command.ExitOK {
			t.Fatalf("%v: %+v", args, got)
		}
	}
	for name, c := range map[string]struct{ old, new, want string }{
		"truncated":     {sound[len(sound)/2:], "", "ends in the middle"},
		"empty":         {sound, "", "is empty"},
		"not a number":  {`"ns_per_op":5`, `"ns_per_op":NaN`, "not a tournament result"},
		"infinite":      {`"ns_per_op":5`, `"ns_per_op":1e999`, "not a tournament result"},
		"negative":      {`"ns_per_op":5`, `"ns_per_op":-5`, "-5 ns/op"},
		"nothing timed": {`"ns_per_op":5`, `"ns_per_op":0`, "took no time"},
		"ages":          {`"ns_per_op":5`, `"ns_per_op":1e300`, "1e+300 ns/op"},
		"huge N":        {`"n":10`, `"n":1000000000000000000000000`, "not a tournament result"},
		"negative N":    {`"n":10`, `"n":-10`, "-10 operations"},
		"a metric":      {`"p99-ns":7`, `"p99-ns":-1e300`, "-1e+300 p99-ns"},
		"twice":         {`"contestant":"Baseline"`, `"contestant":"Main"`, "stands there twice"},
		"schema 99":     {"tournament/2", "tournament/99", `"eventloop-tournament/99"`},
		"no category":   {`"category":"PingPong"`, `"category":""`, "no category"},
	} {
		for _, args := range commands {
			got := read(name, strings.Replace(sound, c.old, c.new, 1), args...)
			if got.code != command.ExitUsage || got.out != "" || !strings.Contains(got.err, c.want) {
				t.Errorf("%s, %v: %+v", name, args, got)
			}
		}
	}
}

func TestReportsLeaveOutWhatCannotBeAndSaySo(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct{ old, new, want string }{
		"negative": {`"ns_per_op":5`, `"ns_per_op":-5`, "impossible figure: -5 ns/op"},
		"load":     {`"p99-ns":7`, `"p99-ns":1e300`, "impossible figure: 1e+300 p99-ns"},
		"twice":    {`"contestant":"Baseline"`, `"contestant":"Main"`, "already stands at line"},
	} {
		path := filepath.Join(dir, name+".json")
		if err := os.WriteFile(path, []byte(strings.Replace(sound, c.old, c.new, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		got := run(t, t.Context(), everything(), "report", "-format", "md", path)
		if got.code != command.ExitOK || !strings.Contains(got.out, c.want) || strings.Contains(got.out, "NaN") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestAFullDiskIsAnErrorThatNamesTheFile(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system has no /dev/full: ", runtime.GOOS)
	}
	defer full.Close()
	path := filepath.Join(t.TempDir(), "results.json")
	if err := os.WriteFile(path, []byte(sound), 0o644); err != nil {
		t.Fatal(err)
	}
	m := everything()
	for _, args := range [][]string{{"report", "-format", "md", path}, {"table", path}, {"choose", path}, {"choose", "-table", path}, {"list"}, {"help"}, {"compare", path, path}} {
		var errs strings.Builder
		if code := m.Main(t.Context(), args, full, &errs); code != command.ExitFailed || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%v: exit %d, %q", args, code, errs.String())
		}
	}
	if got := run(t, t.Context(), m, "report", "-format", "html", "-o", "/dev/full", path); got.code != command.ExitFailed || !strings.Contains(got.err, "/dev/full") {
		t.Errorf("%+v", got)
	}
}

func TestADirectoryThatCannotBeWrittenToIsRefusedBeforeTheMeasuring(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "sub")} { // not even root can write there
		for _, args := range []string{"run -only ^PingPong$", "check", "choose -measure"} {
			got := run(t, t.Context(), everything(), append(strings.Fields(args), "-o", dir)...)
			if got.code != command.ExitFailed || got.out != "" || !strings.Contains(got.err, "cannot write into") || !strings.Contains(got.err, "-o DIR") {
				t.Errorf("%s -o %s: %+v", args, dir, got)
			}
		}
	}
}

func TestAReportOfManyOddNamesFitsIntoEightyColumns(t *testing.T) {
	rows := ""
	for i := range 30 {
		rows += fmt.Sprintf(`,{"category":"Load/cost=%dus/rate=%dk","kind":"load","contestant":"AContestantWithANameThatIsFarTooLongForAnyTable%d","samples":[{"process":1,"round":1,"n":10,"ns_per_op":7,"metrics":{"p99-ns":7,"sustained":1}}]}`, i, i+1, i)
	}
	path := filepath.Join(t.TempDir(), "results.json")
	if err := os.WriteFile(path, []byte(strings.TrimSuffix(sound, "]}")+rows+"]}"), 0o644); err != nil {
		t.Fatal(err)
	}
	got := run(t, t.Context(), everything(), "report", path)
	if got.code != command.ExitOK {
		t.Fatalf("%+v", got)
	}
	for line := range strings.Lines(got.out) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}
