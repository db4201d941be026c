// Package cite keeps figures in Markdown pages equal to those of result files. A page marks a figure with the row that it comes
// from, and a claim with the condition under which it is true:
//
//	<!--results: linux-amd64/full-->
//	Main needs <!--cite: PingPong/Main-->97.1<!--end--> ns. <!--holds: PingPong/Main < PingPong/Baseline-->
//
// A mark may name the results of several occasions, as in <!--results: monday, tuesday-->. Figures are those of the first. A condition
// on times has to hold on each of them, over the whole of its 95 % interval.
//
// The marks do not show where Markdown is rendered. [Expression] describes their content.
package cite

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
)

var marks = regexp.MustCompile(`<!--(results|holds|cite): (.*?)-->`)

const end = "<!--end-->"

// Page returns the page with all cited figures as the results below dir have them. The error names, with their lines, figures
// that no row has and claims that do not hold; the page is up to date but for these.
func Page(page, dir string) (string, error) {
	var out strings.Builder
	var errs []error
	sources := make(map[string]*source)
	var from []*source // the occasions
	line := 1
	for {
		m := marks.FindStringSubmatchIndex(page)
		if m == nil {
			break
		}
		out.WriteString(page[:m[1]])
		line += strings.Count(page[:m[1]], "\n")
		kind, text := page[m[2]:m[3]], strings.TrimSpace(page[m[4]:m[5]])
		page = page[m[1]:]
		fail := func(format string, args ...any) {
			errs = append(errs, fmt.Errorf("line %d: %s", line, fmt.Sprintf(format, args...)))
		}
		if kind == "results" {
			from = nil
			for name := range strings.SplitSeq(text, ", ") {
				if sources[name] == nil {
					var err error
					if sources[name], err = open(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
						return "", err
					}
				}
				from = append(from, sources[name])
			}
			continue
		}
		if from == nil {
			fail("<!--results: ...--> has to come before %q", text)
			continue
		}
		if kind == "holds" {
			for _, occasion := range from {
				if shown, why, err := occasion.holds(text); err != nil {
					fail("%v", err)
				} else if !shown {
					fail("it is not shown that %s: %s in %s", text, why, occasion.name)
				}
			}
			continue
		}
		old, rest, ok := strings.Cut(page, end)
		if !ok || strings.Contains(old, "\n") {
			fail("%s is missing behind %q", end, text)
			continue
		}
		figure, err := from[0].figure(text)
		if err != nil {
			fail("%v", err)
			figure = old
		}
		out.WriteString(figure + end)
		page = rest
	}
	out.WriteString(page)
	return out.String(), errors.Join(errs...)
}

// A source is results that a page cites: of a tournament, or a log of go test -bench.
type source struct {
	name     string
	analysis *findings.Analysis
	log      map[string]map[string][]float64 // by name, without the suffix of GOMAXPROCS, and unit
}

func open(path string) (*source, error) {
	s := &source{name: path}
	if filepath.Ext(path) == ".txt" {
		l, err := parse.ReadLog(path)
		if err != nil {
			return nil, err
		}
		s.log = make(map[string]map[string][]float64)
		for name, units := range l.Units {
			s.log[procs.ReplaceAllString(name, "")] = units
		}
		return s, nil
	}
	in, err := parse.Open(path)
	if err != nil {
		return nil, err
	}
	s.analysis = findings.Analyse(group.Match(in), findings.Options{})
	return s, nil
}

var procs = regexp.MustCompile(`-[0-9]+$`)
