package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"time"
)

func main() {
	run := flag.String("run", "", "only mutants whose name matches this")
	quick := flag.Bool("quick", false, "only those of a small selection")
	seed := flag.Int("seed", 1, "where the exploration begins")
	file := flag.String("o", "", "write the table to this file")
	flag.Parse()
	if err := tell(*run, *quick, *seed, *file); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// tell tries the mutants and writes the table.
func tell(run string, quick bool, seed int, file string) error {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/eventloop-go/eventloop").Output()
	if err != nil {
		return fmt.Errorf("where is the module? %w", err)
	}
	root := strings.TrimSpace(string(out))
	wanted, err := regexp.Compile(run)
	if err != nil {
		return err
	}
	var table strings.Builder
	w := io.MultiWriter(&table, os.Stdout)
	commit, _ := exec.Command("git", "-C", root, "describe", "--always", "--dirty").Output()
	fmt.Fprintf(w, "Mutants, at commit %s, seed %d, %s %s/%s. Made by go run ./internal/explore/mutants\n\n", strings.TrimSpace(string(commit)), seed,
		runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(w, "%-44s %-5s %-30s %9s %9s  %s\n", "mutant", "issue", "test", "schedules", "at most", "seen as")
	began := time.Now()
	found, tried := 0, 0
	var troubles []string
	for i := range mutants {
		m := &mutants[i]
		if !wanted.MatchString(m.name) || quick && !m.quick {
			continue
		}
		tried++
		v := m.try(root, seed)
		schedules, most := "-", "-"
		if m.most > 0 {
			most = fmt.Sprint(m.most)
		}
		if v.schedules > 0 {
			schedules = fmt.Sprint(v.schedules)
		}
		switch {
		case v.err != nil:
			troubles = append(troubles, fmt.Sprintf("%s: %v", m.name, v.err))
			v.how = "CANNOT BE TRIED"
		case v.found:
			found++
		default:
			v.how = "NOT FOUND"
			troubles = append(troubles, m.name+" was not found")
		}
		fmt.Fprintf(w, "%-44s %-5s %-30s %9s %9s  %s\n", m.name, m.issue, strings.TrimPrefix(m.test, "TestExplore"), schedules, most, v.how)
	}
	fmt.Fprintf(w, "\n%d of %d found.\n", found, tried)
	fmt.Fprintf(os.Stderr, "in %v\n", time.Since(began).Round(time.Second))
	if file != "" {
		if err := os.WriteFile(file, []byte(table.String()), 0o644); err != nil {
			return err
		}
	}
	if len(troubles) > 0 {
		return fmt.Errorf("%s", strings.Join(troubles, "\n"))
	}
	return nil
}
