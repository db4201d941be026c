package loopsim

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// A Failure is a world that has failed. It has the smallest set of faults and steps that Run has found to fail in the same way.
type Failure struct {
	Seed   uint64
	Class  string        // the property that does not hold, or what else has failed
	Text   string        // how
	At     time.Duration // when, in the smallest story
	Events int           // until then

	Faults, AllFaults int // in the smallest story, and in the world of the seed
	Steps, AllSteps   int

	Seeds int           // worlds until the failure was found
	Took  time.Duration // to find it, by the machine's clock
	Runs  int           // worlds that were run to make the story small

	world *World // of the smallest story, recorded
}

// Story tells what happened: boots, crashes, faults, steps, what programs have logged, and the failure; the last lines, at most so many.
func (f *Failure) Story(lines int) string { return f.world.story(lines) }

// Replay is the value of the flag -loopsim.seed that repeats the smallest story.
func (f *Failure) Replay() string { return fmt.Sprintf("%d%s", f.world.seed, f.world.keep) }

// explain makes the failure that was found small.
func (s *search) explain() *Failure {
	found := s.found
	least, runs := found, 0
	again := found.failure.class == notDeterministic
	if !again {
		least, runs = minimise(found, func(k *selection) *World { return s.world(found.seed, k, false) })
	}
	story := s.world(least.seed, least.keep, true)
	if again || story.failure == nil {
		story.failure = least.failure
	}
	f := &Failure{
		Seed: found.seed, Class: story.failure.class, Text: story.failure.text, At: time.Duration(story.failure.at), Events: story.failure.event,
		AllFaults: len(story.faults), AllSteps: len(story.steps), Seeds: int(found.seed-s.cfg.First) + 1, Took: s.took, Runs: runs, world: story,
	}
	for i := range story.faults {
		if story.keep.fault(i) {
			f.Faults++
		}
	}
	for i := range story.steps {
		if story.keep.step(i) {
			f.Steps++
		}
	}
	return f
}

// report is what a test says.
func (f *Failure) report(test, dir string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "loopsim: seed %d: %s\n%s", f.Seed, f.Class, indent(f.Text))
	fmt.Fprintf(&b, "at %v, after %d events; smallest story of %d runs: %d of %d faults, %d of %d steps\n",
		f.At, f.Events, f.Runs, f.Faults, f.AllFaults, f.Steps, f.AllSteps)
	b.WriteString(indent(f.Story(storyLines)))
	fmt.Fprintf(&b, "repeat it: go test -run '%s' -loopsim.seed=%s\n", pattern(test), f.Replay())
	if page, trace, err := f.world.save(dir, test); err != nil {
		fmt.Fprintf(&b, "no time line: %v\n", err)
	} else {
		fmt.Fprintf(&b, "time line: %s\nfor https://ui.perfetto.dev: %s\n", filepath.ToSlash(page), filepath.ToSlash(trace))
	}
	return b.String()
}

// pattern is what -run takes for a test.
func pattern(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + p + "$"
	}
	return strings.Join(parts, "/")
}

func indent(s string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n  ") + "\n"
}
