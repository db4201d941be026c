package command

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/result"
)

// words are the cells of the matrix for each status. None is longer than four letters.
var words = map[result.Status]string{result.Pass: "pass", result.Fail: "FAIL", result.Skip: "skip", result.NA: "n/a"}

// writeMatrix prints suites against contestants. Contestants have their names over their columns where all fit side
// by side, and else numbers, which are explained.
func writeMatrix(w io.Writer, all []result.Check, width int) {
	var suites, contestants []string
	outcome := make(map[[2]string]result.Status)
	for _, c := range all {
		if !slices.Contains(suites, c.Suite) {
			suites = append(suites, c.Suite)
		}
		if !slices.Contains(contestants, c.Contestant) {
			contestants = append(contestants, c.Contestant)
		}
		outcome[[2]string{c.Suite, c.Contestant}] = c.Status
	}
	first, names := 0, 0
	for _, s := range suites {
		first = max(first, len(s))
	}
	for _, c := range contestants {
		names += 1 + max(4, len(c))
	}
	heads := contestants
	if first+names > width {
		heads = make([]string, len(contestants))
		fmt.Fprintln(w)
		for i, c := range contestants {
			heads[i] = fmt.Sprint(i + 1)
			fmt.Fprintf(w, "%4d  %s\n", i+1, c)
		}
	}
	perBlock := len(contestants)
	if first+names > width {
		room := max(1, (width-first)/5)
		blocks := (len(contestants) + room - 1) / room
		perBlock = (len(contestants) + blocks - 1) / blocks // of one size, not a full one and a rest
	}
	for from := 0; from < len(contestants); from += perBlock {
		to := min(from+perBlock, len(contestants))
		var b strings.Builder
		fmt.Fprintf(&b, "\n%-*s", first, "")
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, " %-*s", max(4, len(heads[i])), heads[i])
		}
		for _, s := range suites {
			fmt.Fprintf(&b, "\n%-*s", first, s)
			for i := from; i < to; i++ {
				fmt.Fprintf(&b, " %-*s", max(4, len(heads[i])), words[outcome[[2]string{s, contestants[i]}]])
			}
		}
		for line := range strings.SplitSeq(b.String(), "\n") {
			fmt.Fprintln(w, strings.TrimRight(line, " "))
		}
	}
	writeReasons(w, all, width)
	writeCount(w, all)
}

// writeReasons explains failures and skips. Suites that give one contestant the same reason share a paragraph.
func writeReasons(w io.Writer, all []result.Check, width int) {
	type reason struct {
		status             result.Status
		contestant, detail string
	}
	var order []reason
	suites := make(map[reason][]string)
	for _, c := range all {
		if c.Status == result.Pass {
			continue
		}
		r := reason{c.Status, c.Contestant, c.Detail}
		if suites[r] == nil {
			order = append(order, r)
		}
		suites[r] = append(suites[r], c.Suite)
	}
	for _, status := range []result.Status{result.Fail, result.Skip, result.NA} {
		for _, r := range order {
			if r.status == status {
				fmt.Fprintf(w, "\n%s", wrap(words[status]+" "+r.contestant+", "+strings.Join(suites[r], ", "), "", width))
				fmt.Fprint(w, wrap(r.detail, "  ", width))
			}
		}
	}
}

// writeCount sums up.
func writeCount(w io.Writer, all []result.Check) {
	counts := make(map[result.Status]int)
	race := false
	for _, c := range all {
		counts[c.Status]++
		race = race || c.Race
	}
	detector := "without the race detector"
	if race {
		detector = "under the race detector"
	}
	fmt.Fprintf(w, "\n%d passed, %d failed, %d skipped (known limits), %d not applicable\n%s\n",
		counts[result.Pass], counts[result.Fail], counts[result.Skip], counts[result.NA], detector)
}
