package report

import (
	"flag"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// settings are the flags that both commands have.
type settings struct {
	format string
	out    string
	failOn string
	level  float64
}

func (s *settings) register(fs *flag.FlagSet) {
	fs.StringVar(&s.format, "format", "", "write `md, html, json or text` (default: by the ending of -o, text without one)")
	fs.StringVar(&s.out, "o", "", "write to `file` instead of standard output")
	fs.StringVar(&s.failOn, "fail-on", "", "exit with 1 on `regression=5%`: a row slower by more than that, by the interval of the change")
	fs.Float64Var(&s.level, "level", stats.DefaultLevel, "times within this `share` of each other are level")
}

// parsed is what the settings mean.
type parsed struct {
	format    render.Format
	options   Options
	threshold float64 // of -fail-on; 0 if it was not given
}

func (s *settings) parse() (parsed, error) {
	p := parsed{format: render.Format(s.format)}
	if s.format == "" {
		switch ending := filepath.Ext(s.out); strings.ToLower(ending) {
		case ".md":
			p.format = render.Markdown
		case ".html", ".htm":
			p.format = render.HTML
		case ".json":
			p.format = render.JSON
		case ".txt", "":
			p.format = render.Text
		default:
			return p, fmt.Errorf("-o %s: there is no format for files in %s; the endings are .md, .html, .htm, .json and .txt, or give one with -format", s.out, ending)
		}
	}
	known := false
	for _, f := range render.Formats {
		known = known || f == p.format
	}
	if !known {
		return p, fmt.Errorf("-format %s: want md, html, json or text", s.format)
	}
	if !(s.level > 0 && s.level < 1) {
		return p, fmt.Errorf("-level %v: want a share between 0 and 1, such as 0.1 for ten percent", s.level)
	}
	p.options.Level = s.level
	if s.failOn != "" {
		what, share, ok := strings.Cut(s.failOn, "=")
		v, err := strconv.ParseFloat(strings.TrimSuffix(share, "%"), 64)
		if !ok || what != "regression" || !strings.HasSuffix(share, "%") || err != nil || !(v > 0 && v < 1e6) {
			return p, fmt.Errorf("-fail-on %s: want regression=N%%, such as regression=5%%", s.failOn)
		}
		p.threshold = v / 100
		p.options.Threshold = p.threshold
	}
	return p, nil
}

// interleaved parses flags wherever they stand among the other arguments.
func interleaved(fs *flag.FlagSet, args []string) ([]string, error) {
	var rest []string
	for {
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		if fs.NArg() == 0 {
			return rest, nil
		}
		// A lone "--" ends the flags; the flag package has removed it.
		if n := len(args) - fs.NArg(); n > 0 && args[n-1] == "--" {
			return append(rest, fs.Args()...), nil
		}
		rest, args = append(rest, fs.Arg(0)), fs.Args()[1:]
	}
}
