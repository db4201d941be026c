package report

import (
	"bytes"
	"errors"
	"flag"
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
	inputs      []string // below the directory of the results
	flags       []string // of the command that makes it: tournament compare for the comparison, otherwise tournament report
	make        func(inputs, baselines []*parse.Input, digest bool) *render.Report
}

// platforms are what the summary and the narrative are about: ours, the published tables, and the machines emulated here.
var platforms = []string{"linux-amd64/verdicts", "published/darwin-tournament.txt", "published/linux-tournament.txt", "published/windows-tournament.txt",
	"platforms/linux-386", "platforms/linux-arm64", "platforms/windows-amd64", "platforms/darwin-arm64"}

// publications lists the five kinds of report, each from committed results.
var publications = []publication{
	{"platform-comparison", "Platform comparison: the component suite, 108 published rows on three platforms and this project's",
		[]string{"published/linux.json", "published/darwin.json", "published/windows.json", "linux-amd64/component.txt"}, nil,
		func(inputs, _ []*parse.Input, _ bool) *render.Report {
			r, _ := Compare(inputs, Options{})
			return r
		}},
	{"executive-summary", "Executive summary: the tournament on several platforms", platforms, nil,
		func(inputs, _ []*parse.Input, _ bool) *render.Report {
			return tournament(inputs, ReportOptions{Digest: true})
		}},
	{"platform-analysis", "Platform analysis: linux/amd64", []string{"linux-amd64/verdicts"}, nil,
		func(inputs, _ []*parse.Input, digest bool) *render.Report {
			return tournament(inputs, ReportOptions{Digest: digest})
		}},
	{"evaluation", "Evaluation: two runs on one machine", []string{"linux-amd64/verdicts-again"}, []string{"-baseline", "linux-amd64/verdicts"},
		func(inputs, baselines []*parse.Input, digest bool) *render.Report {
			return tournament(inputs, ReportOptions{Digest: digest, Baselines: baselines})
		}},
	{"narrative", "Narrative: what the tournament found, in prose", platforms, []string{"-narrative"},
		func(inputs, _ []*parse.Input, _ bool) *render.Report {
			return tournament(inputs, ReportOptions{Digest: true, Narrative: true})
		}},
}

func tournament(inputs []*parse.Input, o ReportOptions) *render.Report {
	r, _ := Report(inputs, o)
	return r
}

// PublishCommand makes the project's reports from its committed results, each as Markdown, with plots in files beside it,
// and as a page. It is for the project's own scripts: the help of the command line does not list it.
func PublishCommand(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("publish", flag.ContinueOnError)
	help := usage(flags, "publish [flags]", "Makes the five reports of the project from its committed results.")
	results := flags.String("results", filepath.Join("docs", "results"), "read results from `DIR`")
	pages := flags.Bool("pages", true, "write each report as a page, too, with every sample")
	out := flags.String("o", filepath.Join("docs", "reports"), "write the reports into `DIR`")
	if err := flags.Parse(args); err != nil {
		return flagExit(stdout, stderr, flags, help, err)
	}
	if flags.NArg() > 0 {
		return misuse(stderr, flags, fmt.Errorf("takes no argument %q", flags.Arg(0)))
	}
	if err := os.MkdirAll(*out, 0o777); err != nil {
		fmt.Fprintf(stderr, "publish: %v\n", err)
		return exitFailed
	}
	for _, p := range publications {
		for ending, format := range map[string]render.Format{".md": render.Markdown, ".html": render.HTML} {
			if format == render.HTML && !*pages {
				continue
			}
			r, err := p.report(*results, format == render.Markdown, stderr)
			if err != nil {
				fmt.Fprintf(stderr, "publish: %s: %v\n", p.name, err)
				return exitUsage
			}
			if err := write(r, format, filepath.Join(*out, p.name+ending), io.Discard); err != nil {
				fmt.Fprintf(stderr, "publish: %s: %v\n", p.name, err)
				return exitFailed
			}
		}
	}
	return exitOK
}

// report makes a report of the results: a digest for Markdown, all of it for a page.
func (p *publication) report(results string, digest bool, stderr io.Writer) (*render.Report, error) {
	open := func(names ...string) ([]*parse.Input, error) {
		var paths []string
		for _, n := range names {
			paths = append(paths, filepath.Join(results, filepath.FromSlash(n)))
		}
		ins, ok := openAll(stderr, paths)
		if !ok {
			return nil, fmt.Errorf("a result cannot be read")
		}
		for i, in := range ins {
			// The same report wherever the results are.
			if rel, err := filepath.Rel(results, in.Path); err == nil {
				in.Rename(filepath.ToSlash(rel))
			}
			switch {
			case strings.HasPrefix(names[i], "published/") && in.Format == parse.FormatText:
				in.Label = "published " + in.Env.GOOS
			case in.Format == parse.FormatText && in.Env.GOOS != "":
				in.Label = "ours (" + in.Label + ")"
			}
		}
		return ins, nil
	}
	inputs, err := open(p.inputs...)
	if err != nil {
		return nil, err
	}
	var baselines []*parse.Input
	command := "tournament report"
	if p.name == "platform-comparison" {
		command = "tournament compare"
	}
	for i, flag := range p.flags {
		if i > 0 {
			if baselines, err = open(flag); err != nil {
				return nil, err
			}
			flag = "docs/results/" + flag
		}
		command += " " + flag
	}
	r := p.make(inputs, baselines, digest)
	r.Title = p.title
	r.Subtitle = fmt.Sprintf("Made by \"%s docs/results/%s\".", command, strings.Join(p.inputs, " docs/results/"))
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
