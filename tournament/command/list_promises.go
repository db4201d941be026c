package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/tournament/promises/design"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// listPromises shows the promise designs and their categories, and counts designs with a fault.
func (t *Tournament) listPromises(w io.Writer, width int) (faults int) {
	if len(t.Designs) == 0 {
		return 0
	}
	fmt.Fprint(w, "\npromise designs\n")
	for _, d := range t.Designs {
		fmt.Fprintf(w, "\n  %s\n%s", d.Name, wrap(d.About, "    ", width))
		can := []string{"then"}
		e, err := d.Make(eventloop.New())
		if err != nil {
			faults++
			fmt.Fprint(w, wrap("fault: "+err.Error(), "    ", width))
			continue
		}
		for _, capability := range design.Capabilities() {
			if capability.In(e) {
				can = append(can, capability.Name)
			}
		}
		fmt.Fprint(w, wrap("can: "+strings.Join(can, ", "), "    ", width))
	}
	for _, section := range []struct {
		title string
		kind  result.Kind
	}{
		{"published promise categories", result.KindPromise},
		{"corrected versions of promise categories", result.KindTwin},
	} {
		fmt.Fprintf(w, "\n%s\n", section.title)
		for _, p := range t.Promises {
			if p.Kind == section.kind {
				describe(w, width, p.Name, p.About, p.TwinOf)
			}
		}
	}
	return faults
}
