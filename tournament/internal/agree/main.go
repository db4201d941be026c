// Command agree compares the verdicts of several runs of the tournament, each of them a result of "tournament run".
// It reports how many categories each has decided, whether two contradict each other, and whether a replica is ever
// ahead of its first entry.
//
//	go run ./tournament/internal/agree RESULT... >docs/results/verdicts.txt
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

func main() {
	var files []*result.File
	for _, path := range os.Args[1:] {
		f, err := result.Load(path)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		files = append(files, f)
	}
	out := bufio.NewWriter(os.Stdout)
	ok, err := write(out, files)
	if err := out.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if err != nil || !ok {
		fmt.Fprintln(os.Stderr, "the runs contradict each other, or cannot be read:", err)
		os.Exit(1)
	}
}

// write prints the table, and reports whether no two runs contradict each other and no replica is ahead.
func write(w io.Writer, files []*result.File) (ok bool, err error) {
	var order, open []string
	verdicts := make(map[string][]stats.Verdict) // by category, one for each run
	decided, replicas := make([]int, len(files)), make([]int, len(files))
	for i, f := range files {
		answers, err := report.Answers(f, 0)
		if err != nil {
			return false, err
		}
		fmt.Fprintf(w, "run %d: %s, %s, program %s, budget %v, %s\n", i+1, f.Environment.CPU, f.Environment.GoVersion, f.Environment.Binary, f.Protocol.Budget, f.Environment.Date.UTC().Format("2006-01-02 15:04"))
		for _, answer := range answers {
			for _, s := range answer.Decisive {
				if verdicts[s.Category] == nil {
					verdicts[s.Category] = make([]stats.Verdict, len(files))
					order = append(order, s.Category)
				}
				verdicts[s.Category][i] = s.Contest.Verdict
				if s.Contest.Verdict != stats.Undecided {
					decided[i]++
				} else {
					open = append(open, fmt.Sprintf("run %d: %s: %s", i+1, s.Category, s.Contest.String()))
				}
				if r := s.Contest.Replica; r != nil && r.Verdict == stats.Ahead {
					replicas[i]++
				}
			}
		}
	}
	fmt.Fprintf(w, "\n%-52s", "category")
	for i := range files {
		fmt.Fprintf(w, "  %-9s", fmt.Sprintf("run %d", i+1))
	}
	contradictions, ahead := 0, 0
	for _, category := range order {
		line, note := fmt.Sprintf("\n%-52s", category), ""
		seen := make(map[stats.Verdict]bool)
		for _, v := range verdicts[category] {
			line += fmt.Sprintf("  %-9s", v)
			seen[v] = true
		}
		if seen[stats.Ahead] && seen[stats.Behind] {
			contradictions++
			note = "contradiction"
		}
		fmt.Fprint(w, strings.TrimRight(line+"  "+note, " "))
	}
	fmt.Fprint(w, "\n\n")
	for i := range files {
		fmt.Fprintf(w, "run %d: %d of %d decided (%.0f %%), replica ahead in %d\n", i+1, decided[i], len(order), 100*float64(decided[i])/float64(len(order)), replicas[i])
		ahead += replicas[i]
	}
	fmt.Fprintf(w, "contradictions: %d\n", contradictions)
	if open != nil {
		fmt.Fprintf(w, "\n%s\n", strings.Join(open, "\n"))
	}
	return contradictions == 0 && ahead == 0, nil
}
