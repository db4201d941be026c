package result_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/result"
)

func TestJoinCountsTheProcessesOn(t *testing.T) {
	of := func() *result.File {
		f := sample()
		f.Protocol.Processes = 1
		for i := range f.Rows[0].Samples {
			f.Rows[0].Samples[i].Process, f.Rows[0].Samples[i].Round = 1, i+1
		}
		return f
	}
	f, g := of(), of()
	g.Environment.LoadAfter = 3
	g.Rows = append(g.Rows, result.Row{Category: "New", Contestant: "Main"})
	if err := f.Join(g); err != nil {
		t.Fatal(err)
	}
	if s := f.Rows[0].Samples; len(s) != 4 || s[1].Process != 1 || s[2].Process != 2 || s[3].Round != 2 {
		t.Errorf("%+v", s)
	}
	if f.Protocol.Processes != 2 || f.Protocol.Count != 4 || len(f.Rows) != 3 || f.Environment.LoadAfter != 3 {
		t.Errorf("%+v", f)
	}
	h := of()
	h.Rows[0].Error = "lost a task"
	if err := f.Join(h); err != nil || f.Rows[0].Error == "" || f.Rows[0].Samples != nil {
		t.Errorf("a row that failed in one process has not failed: %+v, %v", f.Rows[0], err)
	}
	h = of()
	h.Environment.Binary = "another"
	if err := f.Join(h); err == nil {
		t.Error("two programs were joined")
	}
}

func TestFilesOfTheFirstSchemaStillLoad(t *testing.T) {
	root := filepath.Join("..", "..", "docs", "results")
	if _, err := os.Stat(root); err != nil {
		t.Skip("this is a module without its repository: the archive of a release has no results")
	}
	old := `{"schema":"eventloop-tournament/1","environment":{"goos":"linux"},"protocol":{"count":2},
		"rows":[{"category":"A","kind":"loop","contestant":"x","samples":[{"n":1,"ns_per_op":5},{"n":1,"ns_per_op":6}]}]}`
	f, err := result.ReadJSON(strings.NewReader(old))
	if err != nil || f.Schema != result.Schema || f.Protocol.Processes != 1 || f.Rows[0].Samples[1].Process != 1 || f.Rows[0].Samples[1].Round != 2 {
		t.Errorf("%+v, %v", f, err)
	}
	files, err := filepath.Glob(filepath.Join(root, "*", "*", "results.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no committed results", err)
	}
	for _, file := range files {
		f, err := result.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range f.Rows {
			for _, s := range r.Samples {
				if s.Process < 1 || s.Round < 1 {
					t.Fatalf("%s: %s has a sample of process %d, round %d", file, r.Category, s.Process, s.Round)
				}
			}
		}
	}
}
