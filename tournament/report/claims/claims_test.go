package claims

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
)

const docs = "../../../docs"

// ofOurs is a document about one of our own results, which the rules were not made on, with statements that are true.
func ofOurs(t *testing.T) (*Document, []Statement) {
	t.Helper()
	files, err := filepath.Glob(docs + "/results/platforms/*/results.json")
	if err != nil || len(files) == 0 {
		t.Skip("this is a module without its repository: the archive of a release has no results")
	}
	d := &Document{}
	in, err := parse.Open(files[len(files)-1])
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Use(map[string]*parse.Input{"ours": in}); err != nil {
		t.Fatal(err)
	}
	var out []Statement
	categories := make(map[string]bool)
	wins := make(map[string]int)
	for _, r := range d.rows["ours"].Rows {
		if r.Contestant == "" || !r.Cells[0].Measured() || categories[r.Category] {
			continue
		}
		categories[r.Category] = true
		ranked := d.standing("ours", r.Category)
		if len(ranked) < 3 || ranked[0].ns == ranked[1].ns || ranked[1].ns == ranked[2].ns {
			continue
		}
		ref := func(i int) string { return "ours:" + r.Category + "/" + ranked[i].contestant }
		out = append(out,
			Statement{Says: "figure", Of: ref(0), Value: fmt.Sprintf("%.2f", ranked[0].ns)},
			Statement{Says: "ratio", Of: ref(1), Over: ref(0), Value: fmt.Sprintf("%.2f", ranked[1].ns/ranked[0].ns)},
			Statement{Says: "ratio", Of: ref(0), Over: ref(2), Value: fmt.Sprintf("%+.1f%%", 100*(ranked[0].ns/ranked[2].ns-1))},
			Statement{Says: "faster", Of: ref(0), Over: ref(1)},
			Statement{Says: "first", Of: ranked[0].contestant, In: "ours:" + r.Category},
			Statement{Says: "second", Of: ranked[1].contestant, In: "ours:" + r.Category},
			Statement{Says: "range", Of: "ours:" + r.Category + "/*", Value: fmt.Sprintf("%g..%g", ranked[0].ns, ranked[len(ranked)-1].ns), Mode: "within"},
		)
		wins[ranked[0].contestant]++
	}
	d.Pages = []Page{{Page: "ours", Statements: out}}
	for _, who := range slices.Sorted(maps.Keys(wins)) {
		out = append(out, Statement{Says: "wins", Of: who, In: "ours", Value: fmt.Sprint(wins[who])})
	}
	if len(out) < 30 {
		t.Fatalf("only %d statements", len(out))
	}
	return d, out
}

func TestStatementsThatATableMakesOfItselfAgree(t *testing.T) {
	d, true_ := ofOurs(t)
	for _, s := range true_ {
		if v := rules[s.Says].check(d, &s); v.fault != "" || v.untestable {
			t.Errorf("%+v: %+v", s, v)
		}
	}
}

func TestStatementsThatSayTheOppositeAreContradicted(t *testing.T) {
	d, all := ofOurs(t)
	for _, s := range all {
		before := s
		switch s.Says {
		case "figure":
			s.Value = "1" + s.Value
		case "ratio":
			s.Of, s.Over = s.Over, s.Of
		case "faster":
			s.Of, s.Over = s.Over, s.Of
		case "first", "second":
			s.Says = map[string]string{"first": "second", "second": "first"}[s.Says]
		case "range":
			s.Value = "<=" + strings.SplitN(s.Value, "..", 2)[0]
			if p, _ := readPrinted(strings.TrimPrefix(s.Value, "<=")); p.value < 20 {
				continue // the last digit is more than the difference
			}
		case "wins":
			s.Value += "0"
		}
		if v := rules[s.Says].check(d, &s); v.fault == "" {
			if p, _ := readPrinted(before.Value); s.Says == "ratio" && (p.percent && p.value > -2 || !p.percent && p.value < 1.02) {
				continue // the two are as good as equal
			}
			t.Errorf("%+v is not contradicted", s)
		}
	}
}

func TestATrendAndACauseAreTestedWithTheFiguresAndFacts(t *testing.T) {
	in, err := parse.Read("x", strings.NewReader(`BenchmarkSweep/N=1/Main 1 50 ns/op
BenchmarkSweep/N=8/Main 1 20 ns/op
BenchmarkNap/Main 1 20100 ns/op
BenchmarkNap/Channel 1 20000 ns/op
BenchmarkNap/Poller 1 20050 ns/op
BenchmarkRing/Main 1 41000 ns/op
BenchmarkRing/Channel 1 400 ns/op
BenchmarkRing/Poller 1 40000 ns/op
`))
	if err != nil {
		t.Fatal(err)
	}
	for i := range in.Rows { // names that are not published need their contestant
		parts := strings.Split(strings.TrimPrefix(in.Rows[i].Name, "Benchmark"), "/")
		last := len(parts) - 1
		in.Rows[i].Category, in.Rows[i].Contestant, in.Rows[i].Kind = strings.Join(parts[:last], "/"), parts[last], "loop"
	}
	d := &Document{Facts: []Fact{{Of: "Nap", Does: []string{"a sleep", "a poll"}}, {Of: "Ring", Does: []string{"a poll"}}, {Of: "Channel", Lacks: []string{"a poll"}}}}
	if err := d.Use(map[string]*parse.Input{"x": in}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		s     Statement
		fault bool
	}{
		{Statement{Says: "rises", Of: "x:Sweep/Main", From: "1", To: "8"}, true},
		{Statement{Says: "falls", Of: "x:Sweep/Main", From: "1", To: "8"}, false},
		{Statement{Says: "cause", Of: "x:Nap", Value: "a poll"}, true},
		{Statement{Says: "cause", Of: "x:Ring", Value: "a poll"}, false},
		{Statement{Says: "cause", Of: "x:Ring", Value: "a sleep"}, true},
	} {
		if v := rules[c.s.Says].check(d, &c.s); (v.fault != "") != c.fault || v.untestable {
			t.Errorf("%+v: %+v", c.s, v)
		}
	}
	s := Statement{Says: "rises", Of: "x:Sweep/Main", From: "1", To: "9"}
	if v := rules["rises"].check(d, &s); !v.untestable {
		t.Errorf("a point that is not there was tested: %+v", v)
	}
}

// published are the faults that the published texts are known for.
var published = []struct {
	kind  findings.Kind
	words string
}{
	{Misquoted, "PingPong/AlternateThree in january-linux is stated as 1846, its table has 350.4. That is the figure of MultiProducer/AlternateThree"},
	{NotFaster, "PingPong/AlternateThree in january-macos is said to be faster than PingPong/Main in january-macos, with 84.03 beside 83.61"},
	{NotFirst, "Main is said to be first in macos,linux,windows:MicroWakeupSyscall_Burst; first in MicroWakeupSyscall_Burst of linux is Baseline"},
	{Miscounted, "AlternateTwo is said to be first in no category of macos,linux,windows; it is in 3"},
	{NotTheCause, "MultiProducerContention is said to be about garbage collection"},
	{WrongTrend, "is said to rise from 64 to 4096; it goes from 759.1 to 401.1"},
	{OutOfRange, "GCPressure/AlternateTwo in linux ÷ GCPressure/AlternateTwo in macos is 1.117"},
	{WrongRatio, "Nothing can take more than 100 % less time"},
}

func open(t *testing.T) *Document {
	t.Helper()
	if _, err := os.Stat(docs); err != nil {
		t.Skip("this is a module without its repository: the archive of a release has no documents")
	}
	d, err := Open(docs + "/results/published/claims.json")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestThePublishedTextsContradictTheirTablesWhereTheyAreKnownTo(t *testing.T) {
	o := open(t).Check()
	for _, want := range published {
		if !slices.ContainsFunc(o.Findings, func(f findings.Finding) bool { return f.Kind == want.kind && strings.Contains(f.Text, want.words) }) {
			t.Errorf("not found: %s", want.words)
		}
	}
	if o.Agree < 8*o.Contradicted {
		t.Errorf("%d statements agree, %d are contradicted: a rule raises false alarms, or the tables are not those of the text", o.Agree, o.Contradicted)
	}
}

func TestTheListOfFaultsOfThePublishedTextsIsComplete(t *testing.T) {
	want := Markdown(open(t).Check())
	if have, err := os.ReadFile(docs + "/results/published/faults.md"); err != nil || string(have) != want {
		t.Errorf("docs/results/published/faults.md is not what the tables give, %v; run .ci/benchmarks pages", err)
	}
}

func TestAFileThatIsNoDocumentOfClaimsIsRefusedInWords(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: "is it a file of claims?",
		`{"schema":"eventloop-claims/1","pages":[{"page":"p","statements":[{"says":"sings"}]}]}`: `no statement is called "sings"`,
		`{"schema":"eventloop-claims/1","tables":{"a":"nowhere.txt"}}`:                           "nowhere.txt",
		`no json`: "invalid character",
	} {
		path := filepath.Join(t.TempDir(), "claims.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
