package command

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/eventloop-go/eventloop/tournament/report"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/result"
)

const tableSynopsis = `[-w FILE] [-mark NAME] [-brief] [-level SHARE] [-plot FILE] RESULT...

Prints the answer as Markdown: five lines, and a table with each category's verdict,
the ratio to the rival that decides with its interval, and the times of all families.
A RESULT is a results.json or the directory that holds one. Samples of several are
put together if they come from the same environment.

For a RESULT that ends in .txt, the output of go test -bench, it prints the median of
every unit of every benchmark instead.`

// marks are the lines between which -w writes.
func marks(name string) (begin, end string) {
	return "<!-- " + name + ":begin -->", "<!-- " + name + ":end -->"
}

// table is "tournament table".
func (t *Tournament) table(_ context.Context, io streams, args []string) error {
	flags := flag.NewFlagSet("table", flag.ContinueOnError)
	into := flags.String("w", "", "rewrite the lines between <!-- NAME:begin --> and <!-- NAME:end --> in `FILE` instead")
	level := flags.Float64("level", 0, "times within this `SHARE` of each other are level (default that of the run)")
	plot := flags.String("plot", "", "write the ratios with their intervals as a picture into `FILE.svg`, too")
	brief := flags.Bool("brief", false, "print the first lines of each answer, and a table of the verdicts of the first")
	mark := flags.String("mark", "table", "the `NAME` in those marks")
	paths, err := parse(flags, io, tableSynopsis, args)
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return misuse("table needs a result: a results.json or its directory, as written by tournament run")
	}
	var table bytes.Buffer
	if len(paths) == 1 && filepath.Ext(paths[0]) == ".txt" {
		err = writeFigures(&table, paths[0])
	} else {
		err = writeAnswers(&table, paths, *level, *brief)
	}
	if err != nil {
		return err
	}
	if *plot != "" {
		if err := writePlot(*plot, paths, *level); err != nil {
			return err
		}
	}
	if *into == "" {
		_, err := io.out.Write(table.Bytes())
		return err
	}
	return rewrite(*into, *mark, table.Bytes())
}

func writeAnswers(w *bytes.Buffer, paths []string, level float64, brief bool) error {
	f, err := loadAll(paths)
	if err != nil {
		return err
	}
	answers, err := report.Answers(f, level)
	if err != nil {
		return err
	}
	if brief {
		return report.WriteBrief(w, answers)
	}
	return report.WriteMarkdown(w, answers)
}

// writePlot writes the picture of the answers.
func writePlot(path string, paths []string, level float64) error {
	f, err := loadAll(paths)
	if err != nil {
		return err
	}
	answers, err := report.Answers(f, level)
	if err != nil {
		return err
	}
	if err := result.WriteFile(path, render.SVG(report.Plot(answers))); err != nil {
		return failure("%v; check that %s may be written to and has space", err, filepath.Dir(path))
	}
	return nil
}

// loadAll reads results and puts the samples of one row together.
func loadAll(paths []string) (*result.File, error) {
	var all *result.File
	for _, path := range paths {
		f, err := result.Load(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, misuse("%v; give a results.json or its directory, as written by tournament run", err)
		case err != nil:
			return nil, misuse("%v", err)
		case all == nil:
			all = f
			continue
		}
		if err := all.Join(f); err != nil {
			return nil, misuse("%s: %v; make a table for each", path, err)
		}
	}
	return all, nil
}

// rewrite puts the table between the marks of a file.
func rewrite(path, mark string, table []byte) error {
	begin, end := marks(mark)
	old, err := os.ReadFile(path)
	if err != nil {
		return misuse("%v; -w rewrites a file that exists and has the lines %s and %s", err, begin, end)
	}
	before, rest, ok := bytes.Cut(old, []byte(begin))
	_, after, closed := bytes.Cut(rest, []byte(end))
	if !ok || !closed {
		return misuse("%s has no region to rewrite; add the lines %s and %s where the table is to be", path, begin, end)
	}
	var text bytes.Buffer
	for _, part := range [][]byte{before, []byte(begin + "\n"), table, []byte(end), after} {
		text.Write(part)
	}
	if err := result.WriteFile(path, text.Bytes()); err != nil {
		return failure("%v; check that %s may be written to and has space", err, filepath.Dir(path))
	}
	return nil
}
