package findings

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
)

var quoted = regexp.MustCompile("`([^`]+)`")

func TestTheTableOfFindingsIsTrue(t *testing.T) {
	docs := filepath.Join("..", "..", "..", "docs")
	page, err := os.ReadFile(filepath.Join(docs, "findings.md"))
	if err != nil {
		t.Skip("this is a module without its repository: the archive of a release has no documents")
	}
	found := make(map[string][]Finding)
	of := func(cell string) []Finding {
		if fs, ok := found[cell]; ok {
			return fs
		}
		var ins []*parse.Input
		for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
			in, err := parse.Open(filepath.Join(docs, "results", filepath.FromSlash(m[1])))
			if err != nil {
				t.Fatal(err)
			}
			ins = append(ins, in)
		}
		found[cell] = Find(Analyse(group.Match(ins...), Options{}))
		return found[cell]
	}
	published, _, _ := strings.Cut(string(page), "## More of them")
	byRule, all := 0, 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if len(cells) != 4 || strings.TrimSpace(cells[0]) == "trap" {
			continue
		}
		mine := strings.Contains(published, line)
		if mine {
			all++
		}
		if cells[1] == "–" {
			continue
		}
		if mine {
			byRule++
		}
		kind, names := quoted.FindStringSubmatch(cells[1])[1], quoted.FindStringSubmatch(cells[3])[1]
		ok := false
		for _, f := range of(cells[2]) {
			ok = ok || string(f.Kind) == kind && (f.Subject == names || strings.Contains(f.Text, names))
		}
		if !ok {
			t.Errorf("no finding %q about %q in %s", kind, names, cells[2])
		}
	}
	if all != 12 || byRule < 9 {
		t.Errorf("%d of %d published traps are found by a rule", byRule, all)
	}
}
