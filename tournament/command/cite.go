package command

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/eventloop-go/eventloop/tournament/report/cite"
	"github.com/eventloop-go/eventloop/tournament/result"
)

const citeSynopsis = `[-results DIR] PAGE...

Rewrites the figures that Markdown pages cite as the results have them now, and says
which claims of the pages do not hold. A page marks what it cites:

  <!--results: linux-amd64/full-->
  <!--cite: PingPong/Main ÷ PingPong/Baseline-->0.65<!--end-->
  <!--holds: PingPong/Main < PingPong/Baseline-->`

// cite is "tournament cite".
func (t *Tournament) cite(_ context.Context, io streams, args []string) error {
	flags := flag.NewFlagSet("cite", flag.ContinueOnError)
	results := flags.String("results", filepath.Join("docs", "results"), "the pages name results below `DIR`")
	pages, err := parse(flags, io, citeSynopsis, args)
	if err != nil {
		return err
	}
	if len(pages) == 0 {
		return misuse("cite needs a page: a Markdown file with marks; see tournament help cite")
	}
	failed := false
	for _, path := range pages {
		old, err := os.ReadFile(path)
		if err != nil {
			return misuse("%v; give a Markdown file", err)
		}
		page, err := cite.Page(string(old), *results)
		if page == "" && err != nil {
			return misuse("%s: %v", path, err)
		}
		if err != nil {
			failed = true
			fmt.Fprintf(io.err, "%s:\n%v\n", path, err)
		}
		if page == string(old) {
			continue
		}
		if err := result.WriteFile(path, []byte(page)); err != nil {
			return failure("%v; check that %s may be written to and has space", err, filepath.Dir(path))
		}
	}
	if failed {
		return failure("some figures or claims have nothing that shows them, see above; the other figures are up to date")
	}
	return nil
}
