// Command faults puts known faults into the example programs, one after the other, and prints how each is found. It is how
// docs/results/loopsim.txt is made:
//
//	go run ./examples/faults > ../docs/results/loopsim.txt
//
// The flag -program does so for one of them.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/eventloop-go/eventloop/loopsim"
	"github.com/eventloop-go/eventloop/loopsim/examples/chat"
	"github.com/eventloop-go/eventloop/loopsim/examples/jobs"
	"github.com/eventloop-go/eventloop/loopsim/examples/kv"
)

// A program is an example: worlds with a known fault in it, or with none for "".
type program struct {
	name  string
	cfg   loopsim.Config
	bugs  []string
	world func(bug string) func(*loopsim.World)
}

func programs() []program {
	return []program{
		{"jobs", jobs.Config(), names(jobs.Bugs()), func(bug string) func(*loopsim.World) { return jobs.World(jobs.Bug(bug)) }},
		{"chat", chat.Config(), names(chat.Bugs()), func(bug string) func(*loopsim.World) { return chat.World(chat.Bug(bug)) }},
		{"kv", kv.Config(), names(kv.Bugs()), func(bug string) func(*loopsim.World) { return kv.World(kv.Bug(bug)) }},
	}
}

func names[B ~string](bugs []B) (names []string) {
	for _, b := range bugs {
		names = append(names, string(b))
	}
	return names
}

func main() {
	seeds := flag.Int("seeds", 100_000, "worlds of the right programs")
	most := flag.Int("most", 100_000, "worlds in which a known fault must be found")
	only := flag.String("program", "", "one of jobs, chat and kv; all by default")
	workers := flag.Int("workers", 1, "worlds that run at the same time")
	flag.Parse()
	fmt.Printf("%s/%s, %s, %d worlds at a time\n", runtime.GOOS, runtime.GOARCH, runtime.Version(), *workers)
	failed := false
	for _, p := range programs() {
		if *only != "" && *only != p.name {
			continue
		}
		p.cfg.Workers = *workers
		p.cfg.Seeds = *seeds
		began := time.Now()
		f := loopsim.Find(p.cfg, p.world(""))
		if f != nil {
			failed = true
			fmt.Printf("\n%s: the right program fails with seed %d: %s: %s\n", p.name, f.Seed, f.Class, f.Text)
			continue
		}
		fmt.Printf("\n%s: the right program holds in %d worlds, %v\n", p.name, *seeds, time.Since(began).Round(time.Millisecond))
		p.cfg.Seeds, p.cfg.Workers = *most, 1
		for _, bug := range p.bugs {
			f := loopsim.Find(p.cfg, p.world(bug))
			if f == nil {
				failed = true
				fmt.Printf("\n%s: %s\n  not found in %d worlds\n", p.name, bug, *most)
				continue
			}
			first, _, _ := strings.Cut(f.Text, "\n")
			fmt.Printf("\n%s: %s\n  found in world %d, after %v; story: %d of %d faults, %d of %d steps, %d runs\n  %s: %s\n", p.name, bug,
				f.Seeds, f.Took.Round(time.Millisecond), f.Faults, f.AllFaults, f.Steps, f.AllSteps, f.Runs, f.Class, first)
			fmt.Println("    " + strings.ReplaceAll(f.Story(12), "\n", "\n    "))
		}
	}
	if failed {
		os.Exit(1)
	}
}
