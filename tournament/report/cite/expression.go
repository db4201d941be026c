package cite

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// An Expression is what stands in a mark: operands with one operator ÷ or * between each two, from left to right, all with
// spaces between them. Operands are
//
//	PingPong/Main                 the figure of a contestant in a category, or the median of another benchmark, in ns/op
//	PingPong/Main[B/op]           another unit of it: the median, of bytes and allocations a whole number
//	first(Main,loop)              in how many ranked categories of a kind a contestant has the lowest figure
//	wins(Main,loop)               in how many of them it is ahead of all others
//	categories(loop), void(loop)  how many are ranked, and how many of them give no win
//	1.5                           a number
//
// A condition has one of <, >, <= and >= between two expressions.
type Expression = string

// confidence is that of the interval over which a condition on times has to hold.
const confidence = 0.95

// holds reports whether a condition is shown, and what there is instead if it is not. A condition on times is shown if it holds over
// the whole interval of the quotient of its sides; other units and counts have none.
func (s *source) holds(text Expression) (shown bool, instead string, err error) {
	for _, op := range []string{" <= ", " >= ", " < ", " > "} {
		left, right, ok := strings.Cut(text, op)
		if !ok {
			continue
		}
		x, err := s.value(left)
		if err != nil {
			return false, "", err
		}
		y, err := s.value(right)
		if err != nil {
			return false, "", err
		}
		lo, hi := x, x
		instead = fmt.Sprintf("%.3g and %.3g", x, y)
		if v, timed := s.quotient(left, right); timed {
			lo, hi, y = v.Lo, v.Hi, 1
			instead = fmt.Sprintf("the quotient is %s", v)
		}
		switch strings.TrimSpace(op) {
		case "<=":
			return hi <= y, instead, nil
		case ">=":
			return lo >= y, instead, nil
		case "<":
			return hi < y, instead, nil
		}
		return lo > y, instead, nil
	}
	return false, "", fmt.Errorf("%q has none of < > <= >=", text)
}

// quotient is the interval of one side over the other, and whether a time is in either. Both sides can be read.
func (s *source) quotient(left, right Expression) (v stats.Interval, timed bool) {
	var figures [][]stats.Point
	var exponents []float64
	factor := 1.0
	for side, text := range []Expression{left, right} {
		fields := strings.Fields(text)
		for i := 0; i < len(fields); i += 2 {
			exponent := 1.0
			if i > 0 && fields[i-1] == "÷" {
				exponent = -1
			}
			if side == 1 {
				exponent = -exponent
			}
			if ps := s.times(fields[i]); ps != nil {
				figures, exponents = append(figures, ps), append(exponents, exponent)
				continue
			}
			number, _ := s.operand(fields[i])
			factor *= math.Pow(number, exponent)
		}
	}
	if figures == nil {
		return v, false
	}
	v = stats.Product(figures, exponents, confidence)
	v.Lo, v.Ratio, v.Hi = factor*v.Lo, factor*v.Ratio, factor*v.Hi
	return v, true
}

// times are the samples of an operand that is a time: of a contestant in a category, or of another benchmark, whose rounds stand for
// processes. Other operands have none.
func (s *source) times(name string) (ps []stats.Point) {
	if s.log != nil {
		for i, x := range s.log[name]["ns/op"] {
			ps = append(ps, stats.Point{Process: i + 1, Round: 1, X: x})
		}
		return ps
	}
	for _, r := range s.analysis.Rows {
		if cell := r.Cells[0]; strings.TrimPrefix(r.Name, "Benchmark") == name && cell.Measured() {
			return cell.Points()
		}
	}
	return nil
}

// figure writes the value for a reader: ratios with two significant digits, counts whole, all else with three.
func (s *source) figure(text Expression) (string, error) {
	v, err := s.value(text)
	switch {
	case err != nil:
		return "", err
	case strings.Contains(text, " ÷ "):
		return significant(v, 2), nil
	}
	return significant(v, 3), nil
}

func significant(v float64, digits int) string {
	if math.Abs(v-math.Round(v)) < 1e-9 || math.Abs(v) >= 1000 {
		return text.Thousands(v, 0)
	}
	return stats.Significant(v, digits)
}

func (s *source) value(text Expression) (float64, error) {
	fields := strings.Fields(text)
	if len(fields)%2 == 0 {
		return 0, fmt.Errorf("%q has no operand where one is due", text)
	}
	v, err := s.operand(fields[0])
	for i := 1; i < len(fields) && err == nil; i += 2 {
		var w float64
		w, err = s.operand(fields[i+1])
		switch fields[i] {
		case "*":
			v *= w
		case "÷":
			v /= w
		default:
			err = fmt.Errorf("%q is no operator in %q; there are * and ÷", fields[i], text)
		}
	}
	if err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
		err = fmt.Errorf("%q is no number", text)
	}
	return v, err
}

func (s *source) operand(text string) (float64, error) {
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return v, nil
	}
	if name, args, ok := strings.Cut(strings.TrimSuffix(text, ")"), "("); ok && strings.HasSuffix(text, ")") {
		return s.count(name, strings.Split(args, ","))
	}
	name, unit := text, ""
	if n, u, ok := strings.Cut(strings.TrimSuffix(text, "]"), "["); ok && strings.HasSuffix(text, "]") {
		name, unit = n, u
	}
	if s.log != nil {
		if values := s.log[name][cmp.Or(unit, "ns/op")]; len(values) > 0 {
			return stats.Median(values), nil
		}
		return 0, fmt.Errorf("%s has no %s", s.name, text)
	}
	if unit == "" {
		for _, st := range s.analysis.Standings {
			if contestant, ok := strings.CutPrefix(name, st.Category+"/"); ok && st.Entry(contestant) != nil {
				return st.Entry(contestant).Figure, nil
			}
		}
	}
	for _, r := range s.analysis.Rows {
		cell := r.Cells[0]
		if strings.TrimPrefix(r.Name, "Benchmark") != name || !cell.Measured() {
			continue
		}
		switch unit {
		case "":
			return stats.Median(cell.Ns()), nil
		case "B/op":
			return math.Round(stats.Median(cell.Bytes())), nil
		case "allocs/op":
			return math.Round(stats.Median(cell.Allocs())), nil
		}
		if values := cell.Metrics[unit]; len(values) > 0 {
			return stats.Median(values), nil
		}
	}
	return 0, fmt.Errorf("%s has no %s", s.name, text)
}

// count is the value of a function.
func (s *source) count(name string, args []string) (float64, error) {
	if s.log != nil {
		return 0, fmt.Errorf("%s is no tournament, which %s counts in", s.name, name)
	}
	kind := result.Kind(args[len(args)-1])
	ranked := s.analysis.Ranked(0, kind)
	n := 0
	switch {
	case name == "categories" && len(args) == 1:
		n = len(ranked)
	case name == "void" && len(args) == 1:
		for _, st := range ranked {
			if st.Void != "" {
				n++
			}
		}
	case (name == "first" || name == "wins") && len(args) == 2:
		for _, st := range ranked {
			w := st.First()
			if name == "wins" {
				w = st.Winner()
			}
			if w != nil && w.Contestant == args[0] {
				n++
			}
		}
	default:
		return 0, fmt.Errorf("there is no function %s with %d arguments", name, len(args))
	}
	if len(ranked) == 0 {
		return 0, fmt.Errorf("%s has no ranked categories of kind %q", s.name, kind)
	}
	return float64(n), nil
}
