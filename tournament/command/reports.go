package command

import (
	"context"

	"github.com/eventloop-go/eventloop/tournament/report"
)

// compare is "tournament compare".
func (t *Tournament) compare(_ context.Context, io streams, args []string) error {
	return ended(report.CompareCommand(args, io.out, io.err))
}

// report is "tournament report".
func (t *Tournament) report(_ context.Context, io streams, args []string) error {
	return ended(report.ReportCommand(args, io.out, io.err))
}

// publish is "tournament publish".
func (t *Tournament) publish(_ context.Context, io streams, args []string) error {
	return ended(report.PublishCommand(args, io.out, io.err))
}

// ended makes an error of the exit code of a command that has already printed its messages.
func ended(code int) error {
	if code == ExitOK {
		return nil
	}
	return &exit{code: code}
}
