package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/render"
)

// A publication is one of the reports that the project shows.
type publication struct {
	name, title string
	command     string   // that makes it, with its flags
	inputs      []string // below the directory of the results
	baseline    string   // likewise
}

// platforms are what the summary and the narrative are about: ours, the published tables, and the machines emulated here.
var platforms = []string{"linux-amd64/verdicts", "published/darwin-tournament.txt", "published/linux-tournament.txt", "published/windows-tournament.txt",
	"platforms/linux-386", "platforms/linux-arm64", "platforms/windows-amd64", "platforms/darwin-arm64"}

// publications lists the five kinds of report, each from committed results.
var publications = []publication{
	{"platform-comparison", "Platform comparison: the component suite, 108 published rows on three platforms and this project's",
		"compare", []string{"published/linux.json", "published/darwin.json", "published/windows.json", "linux-amd64/component.txt"}, ""},
	{"executive-summary", "Executive summary: the tournament on several platforms", "report", platforms, ""},
	{"platform-analysis", "Platform analysis: linux/amd64", "report", []string{"linux-amd64/verdicts"}, ""},
	{"evaluation", "Evaluation: two runs on one machine", "report", []string{"linux-amd64/verdicts-again"}, "linux-amd64/verdicts"},
	{"narrative", "Narrative: what the tournament found, in prose", "report -narrative", platforms, ""},
}

// PublishCommand makes the project's reports from its committed results, each as Markdown, with plots in files beside it,
// and as a page. It is for the project's own scripts: the help of the command line does not list it.
func PublishCommand(args []string, stdout, stderr io.Writer) int {
	c := newCommand("publish", "publish [flags]\n\nMakes the five reports of the project from its committed results.", stdout, stderr)
	results := c.String("results", filepath.Join("docs", "results"), "read results from `DIR`")
	pages := c.Bool("pages", true, "write each report as a page, too, with every sample")
	out := c.String("o", filepath.Join("docs", "reports"), "write the reports into `DIR`")
	err := c.Parse(args)
	if err == nil && c.NArg() > 0 {
		err = fmt.Errorf("takes no argument %q", c.Arg(0))
	}
	if err != nil {
		return c.misuse(err)
	}
	if err := os.MkdirAll(*out, 0o777); err != nil {
		return c.failed(exitFailed, err)
	}
	for _, p := range publications {
		for ending, format := range map[string]render.Format{".md": render.Markdown, ".html": render.HTML} {
			if format == render.HTML && !*pages {
				continue
			}
			r, err := p.report(*results, format == render.Markdown)
			if err != nil {
				return c.failed(exitUsage, fmt.Errorf("%s: %w", p.name, err))
			}
			if err := write(r, format, filepath.Join(*out, p.name+ending), io.Discard); err != nil {
				return c.failed(exitFailed, fmt.Errorf("%s: %w", p.name, err))
			}
		}
	}
	return exitOK
}

// report makes a report of the results: a digest for Markdown, all of it for a page. A summary is a digest either way.
func (p *publication) report(results string, digest bool) (*render.Report, error) {
	open := func(name string) (*parse.Input, error) {
		in, err := parse.Open(filepath.Join(results, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		// The same report wherever the results are.
		if rel, err := filepath.Rel(results, in.Path); err == nil {
			in.Rename(filepath.ToSlash(rel))
		}
		switch {
		case strings.HasPrefix(name, "published/") && in.Format == parse.FormatText:
			in.Label = "published " + in.Env.GOOS
		case in.Format == parse.FormatText && in.Env.GOOS != "":
			in.Label = "ours (" + in.Label + ")"
		}
		return in, nil
	}
	var inputs []*parse.Input
	for _, name := range p.inputs {
		in, err := open(name)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, in)
	}
	o := ReportOptions{Digest: digest || len(inputs) > 1, Narrative: strings.Contains(p.command, "-narrative")}
	command := "tournament " + p.command
	if p.baseline != "" {
		in, err := open(p.baseline)
		if err != nil {
			return nil, err
		}
		o.Baselines = []*parse.Input{in}
		command += " -baseline docs/results/" + p.baseline
	}
	var r *render.Report
	if p.command == "compare" {
		r, _ = Compare(inputs, Options{})
	} else {
		r, _ = Report(inputs, o)
	}
	r.Title = p.title
	r.Subtitle = ""
	r.Sections[len(r.Sections)-1].Add(render.Paragraphf("Made by \"%s docs/results/%s\".", command, strings.Join(p.inputs, " docs/results/")))
	return r, nil
}

// writeMarkdown writes a report into a file and its plots into a directory beside it.
func writeMarkdown(r *render.Report, file string) error {
	dir := strings.TrimSuffix(file, filepath.Ext(file)) + "-plots"
	earlier, err := filepath.Glob(filepath.Join(dir, "*.svg"))
	if err != nil {
		return err
	}
	for _, plot := range earlier { // of a report that this one replaces
		if err := os.Remove(plot); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	err = render.WriteMarkdown(&b, r, func(name string, svg []byte) (string, error) {
		if err := os.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return "", err
		}
		return filepath.Base(dir) + "/" + name, os.WriteFile(filepath.Join(dir, name), svg, 0o644)
	})
	if err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}
