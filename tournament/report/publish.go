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
	baseline    string
	make        func(inputs []*parse.Input, o ReportOptions) *render.Report
}

func tournament(inputs []*parse.Input, o ReportOptions) *render.Report {
	r, _ := Report(inputs, o)
	return r
}

// publications lists the five kinds of report, each from committed results.
var publications = []publication{
	{"platform-comparison", "Platform comparison: the component suite, 108 published rows on three platforms and this project's",
		[]string{"published/linux.json", "published/darwin.json", "published/windows.json", "linux-amd64/component.txt"}, "",
		func(inputs []*parse.Input, o ReportOptions) *render.Report {
			r, _ := Compare(inputs, o.Options)
			return r
		}},
	{"executive-summary", "Executive summary: the tournament on several platforms",
		[]string{"linux-amd64/full", "platforms/linux-386", "platforms/linux-arm64", "platforms/windows-amd64", "platforms/darwin-arm64"}, "", tournament},
	{"platform-analysis", "Platform analysis: linux/amd64", []string{"linux-amd64/full"}, "", tournament},
	{"evaluation", "Evaluation: linux/amd64 against an earlier run", []string{"linux-amd64/full"}, "linux-amd64/earlier", tournament},
	{"narrative", "Narrative: the run on linux/amd64 in prose", []string{"linux-amd64/full"}, "",
		func(inputs []*parse.Input, o ReportOptions) *render.Report {
			o.Narrative = true
			return tournament(inputs, o)
		}},
}

// PublishCommand makes the project's reports from its committed results, each as Markdown, with plots in files beside it,
// and as a page.
func PublishCommand(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("publish", flag.ContinueOnError)
	help := usage(flags, "publish [flags]", "Makes the five reports of the project from its committed results.")
	results := flags.String("results", filepath.Join("docs", "results"), "read results from `DIR`")
	out := flags.String("o", filepath.Join("docs", "reports"), "write the reports into `DIR`")
	if err := flags.Parse(args); err != nil {
		return flagExit(stdout, stderr, flags, help, err)
	}
	if flags.NArg() > 0 {
		return misuse(stderr, flags, fmt.Errorf("takes no argument %q", flags.Arg(0)))
	}
	for _, p := range publications {
		r, err := p.report(*results, stderr)
		if err != nil {
			fmt.Fprintf(stderr, "publish: %s: %v\n", p.name, err)
			return exitUsage
		}
		if err := p.write(r, *out); err != nil {
			fmt.Fprintf(stderr, "publish: %s: %v\n", p.name, err)
			return exitFailed
		}
	}
	return exitOK
}

// report makes a report of the results.
func (p *publication) report(results string, stderr io.Writer) (*render.Report, error) {
	open := func(names ...string) ([]*parse.Input, error) {
		var paths []string
		for _, n := range names {
			paths = append(paths, filepath.Join(results, filepath.FromSlash(n)))
		}
		ins, ok := openAll(stderr, paths)
		if !ok {
			return nil, fmt.Errorf("a result cannot be read")
		}
		for _, in := range ins {
			// The same report wherever the results are.
			if rel, err := filepath.Rel(results, in.Path); err == nil {
				in.Rename(filepath.ToSlash(rel))
			}
			if in.Format == parse.FormatText && in.Env.GOOS != "" {
				in.Label = "this project (" + in.Label + ")"
			}
		}
		return ins, nil
	}
	inputs, err := open(p.inputs...)
	if err != nil {
		return nil, err
	}
	var o ReportOptions
	command := "tournament report"
	if len(inputs) > 1 && p.name == "platform-comparison" {
		command = "tournament compare"
	}
	if p.name == "narrative" {
		command += " -narrative"
	}
	if p.baseline != "" {
		if o.Baselines, err = open(p.baseline); err != nil {
			return nil, err
		}
		command += " -baseline docs/results/" + p.baseline
	}
	r := p.make(inputs, o)
	r.Title = p.title
	r.Subtitle = strings.TrimSpace(fmt.Sprintf("Made by \"%s docs/results/%s\". %s", command, strings.Join(p.inputs, " docs/results/"), r.Subtitle))
	return r, nil
}

// write writes a report in both forms into a directory.
func (p *publication) write(r *render.Report, out string) error {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	for _, ending := range []string{".md", ".html"} {
		format := render.Markdown
		if ending == ".html" {
			format = render.HTML
		}
		if err := write(r, format, filepath.Join(out, p.name+ending), io.Discard); err != nil {
			return err
		}
	}
	return nil
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
