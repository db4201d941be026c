package command

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// list is "tournament list".
func (t *Tournament) list(_ context.Context, out streams, args []string) error {
	flags := flag.NewFlagSet("list", flag.ContinueOnError)
	rest, err := parse(flags, out, "\n\nShows categories and contestants.", args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return misuse("list takes no argument %q", rest[0])
	}
	if err := t.validate(); err != nil {
		return err
	}
	width := widthOf(out.out)
	faults := 0
	fmt.Fprint(out.out, "contestants\n")
	for _, c := range t.Contestants {
		fmt.Fprintf(out.out, "\n  %s\n%s", c.Name, wrap(c.About, "    ", width))
		if c.Unavailable != "" {
			fmt.Fprint(out.out, wrap("not available on this system: "+c.Unavailable, "    ", width))
			continue
		}
		can, err := capabilities(c)
		if can != "" {
			fmt.Fprint(out.out, wrap("can: "+can, "    ", width))
		}
		if err != nil {
			faults++
			fmt.Fprint(out.out, wrap("fault: "+err.Error(), "    ", width))
		}
		if c.VariantOf != "" {
			fmt.Fprint(out.out, wrap("differs in one thing from "+c.VariantOf, "    ", width))
		}
		if c.Panics != "" {
			fmt.Fprint(out.out, wrap("ends when a task panics: "+c.Panics, "    ", width))
		}
		if c.Loses != "" {
			fmt.Fprint(out.out, wrap("may lose an accepted task in a shutdown: "+c.Loses, "    ", width))
		}
	}
	for _, section := range []struct {
		title string
		kind  result.Kind
	}{
		{"published categories", result.KindLoop},
		{"corrected versions", result.KindTwin},
		{"a busy machine", result.KindBusy},
		{"descriptors", result.KindDescriptor},
		{"open loop, where latency counts from the intended start", result.KindLoad},
	} {
		fmt.Fprintf(out.out, "\n%s\n", section.title)
		for _, w := range slices.Concat(t.Workloads, t.Loads) {
			if w.Kind == section.kind {
				describe(out.out, width, w.Name, w.About, w.TwinOf)
			}
		}
	}
	faults += t.listPromises(out.out, width)
	if faults > 0 {
		return failure("%s with a fault, see above", count(faults, "contestant"))
	}
	return nil
}

// describe writes the description of a category.
func describe(w io.Writer, width int, name, about, twinOf string) {
	fmt.Fprintf(w, "\n  %s\n%s", name, wrap(about, "    ", width))
	if twinOf != "" {
		fmt.Fprint(w, wrap("corrects "+twinOf, "    ", width))
	}
}

// capabilities names a loop's abilities beyond running tasks. It fails if the loop cannot be made or ended.
func capabilities(c contestant.Contestant) (string, error) {
	loop, err := c.Make()
	if err != nil {
		return "", err
	}
	can := []string{"tasks"}
	for _, capability := range contestant.Capabilities() {
		if capability.In(loop) {
			can = append(can, capability.Name)
		}
	}
	return strings.Join(can, ", "), contestant.Discard(loop)
}
