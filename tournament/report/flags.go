package report

import (
	"flag"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/stats"
)

// settings are the flags that both commands have.
type settings struct {
	format  string
	out     string
	failOn  string
	correct string
	alpha   float64
}

func (s *settings) register(fs *flag.FlagSet) {
	fs.StringVar(&s.format, "format", "", "write `md, html, json or text` (default: by the ending of -o, text without one)")
	fs.StringVar(&s.out, "o", "", "write to `file` instead of standard output")
	fs.StringVar(&s.failOn, "fail-on", "", "exit with 1 on `regression=5%`: a row slower by more than that, beyond the noise")
	fs.StringVar(&s.correct, "correction", string(stats.HolmBonferroni), "guard against chance in many rows by `holm, bh or none`")
	fs.Float64Var(&s.alpha, "alpha", stats.Alpha, "level of significance, a `share` between 0 and 1")
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
	switch c := stats.Correction(s.correct); c {
	case stats.BenjaminiHochberg, stats.HolmBonferroni, stats.NoCorrection:
		p.options.Correction = c
	default:
		return p, fmt.Errorf("-correction %s: want bh, holm or none", s.correct)
	}
	if !(s.alpha > 0 && s.alpha < 1) {
		return p, fmt.Errorf("-alpha %v: want a share between 0 and 1, such as 0.05", s.alpha)
	}
	p.options.Alpha = s.alpha
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
