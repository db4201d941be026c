package command

import (
	"context"
	"flag"
	"fmt"

	"github.com/eventloop-go/eventloop/tournament/report/claims"
)

const claimsSynopsis = `FILE

Checks what the text of a report says against its tables, and prints a Markdown table
of the statements that the tables contradict. FILE holds the statements and names the
tables, such as docs/results/published/claims.json.`

// claims is "tournament claims".
func (t *Tournament) claims(_ context.Context, io streams, args []string) error {
	files, err := parse(flag.NewFlagSet("claims", flag.ContinueOnError), io, claimsSynopsis, args)
	if err != nil {
		return err
	}
	if len(files) != 1 {
		return misuse("claims needs one file of statements, such as docs/results/published/claims.json")
	}
	d, err := claims.Open(files[0])
	if err != nil {
		return misuse("%v", err)
	}
	fmt.Fprint(io.out, claims.Markdown(d.Check()))
	return nil
}
