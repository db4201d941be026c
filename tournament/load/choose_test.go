package load

import (
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/result"
)

// rows makes samples of one category, whose percentiles are given in microseconds. A negative one was not sustained.
func rows(category string, p99 map[string][]float64) []result.Row {
	var all []result.Row
	for name, values := range p99 {
		row := result.Row{Category: category, Kind: result.KindLoad, Contestant: name, Control: name == Control.Name}
		for _, v := range values {
			m := map[string]float64{Sustained: 1}
			if v < 0 {
				v, m[Sustained] = -v, 0
			}
			for _, unit := range []string{"p50-ns", "p99-ns", "p99.9-ns"} {
				m[unit] = v * 1e3
			}
			m[Processor] = 1e5 / v
			row.Samples = append(row.Samples, result.Sample{N: 1, NsPerOp: v * 1e3, Metrics: m})
		}
		all = append(all, row)
	}
	return all
}

var question = Question{Cost: 10 * time.Microsecond, Rate: 50_000, P99: time.Millisecond, Producers: 1}

func TestTheAnswerTellsApartWhatTheSamplesTellApart(t *testing.T) {
	const category = "Load/cost=10us/rate=50k"
	for _, c := range []struct {
		p99  map[string][]float64
		want string
	}{
		{map[string][]float64{"A": {10, 11, 12, 13, 14}, "B": {20, 21, 22, 23, 24}}, "Take A: "},
		{map[string][]float64{"A": {10, 11, 12, 13, 14}, "B": {10.5, 11.5, 12.5, 13.5, 14.5}}, "Take A or B: the samples cannot tell them apart"},
		{map[string][]float64{"A": {-1, 10, 10, 10, 10}, "B": {20, 21, 22, 23, 24}}, "Take A: "},
		{map[string][]float64{"A": {-1, -2, -3, 10, 10}, "B": {20, 21, 22, 23, 24}}, "Take B: "},
		{map[string][]float64{"A": {10, 11, 12, 13, 14}, "Direct": {500, 500, 500, 500, 500}}, "It gives no answer"},
		{map[string][]float64{"A": {10, 11, 12, 13, 14}, "Direct": {-1, -1, -1, -1, -1}}, "It gives no answer"},
		{map[string][]float64{"A": {-10, -11, -12, 13, 14}, "B": {20, -21, -22, -23, -24}}, "Nobody keeps up"},
		{map[string][]float64{"A": {10, 11, 12, 13, 14}, "B": {15, 16, 17, 18, 19}, "C": {9, 20, 21, 22, 23}}, "Take A, B or C"},
		{map[string][]float64{"A": {10}, "B": {12}}, "Take A or B"},
		{map[string][]float64{"A": {10}, "B": {30}}, "Take A: "},
		{map[string][]float64{"A": {10, 11, 12, 13, 14}, "Direct": {1, 1, 1, 1, 1}}, "Take A: "},
		{map[string][]float64{"A": nil}, "Nobody has samples"},
	} {
		choice, ok := Nearest(Choices(rows(category, c.p99)), question)
		if answer := choice.Answer(question); !ok || !strings.Contains(answer, c.want) || strings.Contains(answer, "not what was asked") {
			t.Errorf("%v: %s", c.p99, answer)
		}
	}
}

func TestTheAnswerSaysWhatItIsNotAbout(t *testing.T) {
	choice, ok := Nearest(Choices(rows("Load/cost=10us/rate=30k/producers=8", map[string][]float64{"A": {10, 11, 12}})), question)
	if answer := choice.Answer(question); !ok || !strings.Contains(answer, "not what was asked: 50k tasks a second, one producer") {
		t.Error(answer)
	}
}

func TestTheNearestCategoryIsTheEvidence(t *testing.T) {
	var all []result.Row
	for _, name := range []string{
		"Load/cost=0us/rate=50k", "Load/cost=10us/rate=10k", "Load/cost=10us/rate=70k", "Load/cost=10us/share=90", "Load/cost=10us/rate=50k/arrivals=bursts",
		"Load/cost=100us/rate=5k", "Load/cost=10us/rate=50k/mix=timers", "LoadLimit/cost=10us", "PingPong",
	} {
		all = append(all, rows(name, map[string][]float64{"A": {10, 11, 12}})...)
	}
	for _, c := range []struct {
		q    Question
		want string
	}{
		{question, "Load/cost=10us/rate=70k"},
		{Question{Cost: 10 * time.Microsecond, Rate: 8_000}, "Load/cost=10us/rate=10k"},
		{Question{Cost: 0, Rate: 1e6}, "Load/cost=0us/rate=50k"},
		{Question{Cost: 80 * time.Microsecond, Rate: 10_000}, "Load/cost=100us/rate=5k"},
	} {
		if choice, ok := Nearest(Choices(all), c.q); !ok || choice.Category != c.want {
			t.Errorf("%+v: %s", c.q, choice.Category)
		}
	}
	if _, ok := Nearest(Choices(all[len(all)-2:]), question); ok {
		t.Error("an answer without evidence")
	}
}

func TestSamplesOfSeveralResultsAreTakenTogether(t *testing.T) {
	one := rows("Load/cost=10us/rate=50k", map[string][]float64{"A": {10, 11, 12}})
	choices := Choices(append(one, one...))
	if len(choices) != 1 || choices[0].Take[0].Samples != 6 {
		t.Errorf("%+v", choices)
	}
}

func TestALeadBelowTheNoiseFloorTellsNobodyApart(t *testing.T) {
	const category = "Load/cost=10us/rate=50k"
	a, b := []float64{10, 10.1, 10.2, 10.3, 10.4}, []float64{12, 12.1, 12.2, 12.3, 12.4}
	for _, c := range []struct {
		again []float64
		want  string
	}{
		{nil, "Take A: "},
		{[]float64{10.1, 10.1, 10.2, 10.3, 10.4}, "Take A: "},
		{[]float64{13, 13.1, 13.2, 13.3, 13.4}, "Take A or B: the samples cannot tell them apart"},
		{[]float64{8, 8.1, 8.2, 8.3, 8.4}, "Take A or B: the samples cannot tell them apart"},
		{[]float64{-13, -13, -13, -13, -13}, "Take A: "},
	} {
		p99 := map[string][]float64{"A": a, "B": b}
		if c.again != nil {
			p99["A"+result.AgainSuffix] = c.again
		}
		choices := Choices(rows(category, p99))
		answer := choices[0].Answer(question)
		if !strings.Contains(answer, c.want) || strings.Contains(answer, "A-Again") || strings.Contains(answer, "A was entered twice") != (choices[0].Floor > 0) {
			t.Errorf("%v: %s", c.again, answer)
		}
	}
}

func TestTheNoiseFloorOfACategoryWithoutASecondEntryIsThatOfTheOthers(t *testing.T) {
	var all []result.Row
	for _, rate := range []string{"10k", "30k", "50k"} {
		all = append(all, rows("Load/cost=10us/rate="+rate, map[string][]float64{"A": {10, 10, 10, 10, 10}, "A-Again": {12, 12, 12, 12, 12}})...)
	}
	all = append(all, rows("Load/cost=0us/rate=10k", map[string][]float64{"A": {10, 10, 10, 10, 10}, "B": {13, 13, 13, 13, 13}})...)
	choices := Choices(all)
	if last := choices[3]; last.Again != nil || last.Floor < 0.2 || len(last.Take) != 2 {
		t.Errorf("%+v", last)
	}
	if line := ChooseWhen(all)[0]; line.Floor == "" || len(line.Take) != 1 {
		t.Errorf("%+v", line)
	}
}

func TestTheTableHasALineForEveryCategory(t *testing.T) {
	all := append(rows("Load/cost=10us/rate=50k", map[string][]float64{"A": {10, 11, 12, 13, 14}, "B": {20, 21, 22, 23, 24}, "C": {-9, -9, -9, -9, -9}}),
		rows("Load/cost=1us/share=90/arrivals=bursts", map[string][]float64{"A": {-1, -2, -3}})...)
	for i := range all {
		for j := range all[i].Samples {
			all[i].Samples[j].Metrics[Shared] = 1
		}
	}
	all = append(all, rows("Load/cost=0us/rate=1k", map[string][]float64{"A": {10, 11, 12}, "Direct": {900, 901, 902}})...)
	var b strings.Builder
	if err := WriteChooseWhen(&b, all); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| When there are | Take |", "|---|---|",
		"| 50k tasks a second of 10µs of work (processors shared with the generator) | A | 12µs | B 22µs | C | B 4.55µs | – | Load/cost=10us/rate=50k |",
		"| tasks at 90 % of each one's capacity of 1µs of work, 64 at a time (processors shared with the generator) | nobody: it is too much for all | – | – | A | – |",
		"| 1k tasks a second of 0 µs of work | no answer: even the control was disturbed | – | – | – |",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s is missing in\n%s", want, b.String())
		}
	}
}
