package command

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/promises/design"
)

// parse parses flags, before and after other arguments, and returns the other arguments. Requested help goes where
// results go.
func parse(flags *flag.FlagSet, io streams, synopsis string, args []string) (rest []string, err error) {
	flags.SetOutput(discard{})
	flags.Usage = func() {}
	for len(args) > 0 {
		if err := flags.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				help(flags, io.out, synopsis)
				return nil, err
			}
			return nil, misuse("%v; see tournament help %s", err, flags.Name())
		}
		args = flags.Args()
		if len(args) > 0 {
			rest, args = append(rest, args[0]), args[1:]
		}
	}
	return rest, nil
}

func help(flags *flag.FlagSet, w io.Writer, synopsis string) {
	fmt.Fprintf(w, "usage: tournament %s %s\n\n", flags.Name(), synopsis)
	flags.SetOutput(w)
	flags.PrintDefaults()
}

// discard keeps package flag from printing messages that we print.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

func commandNames() string {
	var names []string
	for _, sub := range subcommands() {
		if !sub.internal {
			names = append(names, sub.name)
		}
	}
	return strings.Join(names, ", ")
}

// choose picks the loops and promise designs of a comma-separated list, in the tournament's order; all if the list is
// empty or "all".
func (t *Tournament) choose(list string) (loops []contestant.Contestant, designs []design.Design, err error) {
	if err := t.validate(); err != nil {
		return nil, nil, err
	}
	if list := strings.TrimSpace(list); list == "" || strings.EqualFold(list, "all") {
		return t.Contestants, t.Designs, nil
	}
	wanted := make(map[string]bool)
	for name := range strings.SplitSeq(list, ",") {
		wanted[strings.ToLower(strings.TrimSpace(name))] = true
	}
	var known []string
	chosen := func(name string) bool {
		known = append(known, name)
		key := strings.ToLower(name)
		found := wanted[key]
		delete(wanted, key)
		return found
	}
	for _, c := range t.Contestants {
		if chosen(c.Name) {
			loops = append(loops, c)
		}
	}
	for _, d := range t.Designs {
		if chosen(d.Name) {
			designs = append(designs, d)
		}
	}
	for name := range strings.SplitSeq(list, ",") {
		if wanted[strings.ToLower(strings.TrimSpace(name))] {
			return nil, nil, misuse("there is no contestant %q; the contestants are %s; give a list such as -contestants %s",
				strings.TrimSpace(name), strings.Join(known, ", "), strings.Join(known[:min(2, len(known))], ","))
		}
	}
	return loops, designs, nil
}
