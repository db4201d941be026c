package choose

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
		row := result.Row{Category: category, Kind: result.KindLoad, Contestant: name, Control: name == "Direct"}
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
		{map[string][]float64{"A": {10, 11, 12, 13, 14}, "B": {10.5, 11.5, 12.5, 13.5, 14.5}}, "Take A or B: A is fastest here, and undecided against B"},
		{map[string][]float64{"A": {-9, 10, 10, 10, 10}, "B": {20, 21, 22, 23, 24}}, "Take A: "},
		{map[string][]float64{"A": {-1, -2, -3, 10, 10}, "B": {20, 21, 22, 23, 24}}, "Take B: "},
		{map[string][]float64{"A": {10, 11, 12, 13, 14}, "Direct": {500, 500, 500, 500, 500}}, "It gives no answer"},
		{map[string][]float64{"A": {10, 11, 12, 13, 14}, "Direct": {-1, -1, -1, -1, -1}}, "It gives no answer"},
		{map[string][]float64{"A": {-10, -11, -12, 13, 14}, "B": {20, -21, -22, -23, -24}}, "Nobody keeps up"},
		{map[string][]float64{"A": {10, 11, 12, 13, 14}, "B": {15, 16, 17, 18, 19}, "C": {9, 20, 21, 22, 23}}, "Take A or C: A is fastest here, and undecided against C"},
		{map[string][]float64{"A": {10}, "B": {12}}, "Take A or B"},
		{map[string][]float64{"A": {10}, "B": {30}}, "Take A or B"},
		{map[string][]float64{"A": {10, 11, 12, 13, 14}, "Direct": {1, 1, 1, 1, 1}}, "Take A: "},
		{map[string][]float64{"A": nil}, "Nobody has samples"},
	} {
		choice, ok := Nearest(Choices(rows(category, c.p99)), question)
		if answer := choice.Answer(question); !ok || !strings.Contains(answer, c.want) || strings.Contains(answer, "not what was asked") {
			t.Errorf("%v: %s", c.p99, answer)
		}
	}
}

func TestTheAskedLatencySaysWhatCountsAsDisturbed(t *testing.T) {
	// 400 µs of the control are too much beside a limit of 1 ms, and little beside one of 10 ms.
	p99 := map[string][]float64{"A": {500, 510, 520, 530, 540}, "Direct": {400, 400, 400, 400, 400}}
	for limit, disturbed := range map[time.Duration]bool{0: true, time.Millisecond: true, 10 * time.Millisecond: false} {
		q := question
		q.P99 = limit
		choice, _ := Nearest(Choices(rows("Load/cost=10us/rate=50k", p99)), q)
		if answer := choice.Answer(q); strings.Contains(answer, "It gives no answer") != disturbed {
			t.Errorf("limit %v: %s", limit, answer)
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

func TestTheFastestIsTakenAloneOnlyIfItIsAheadOfAllOthers(t *testing.T) {
	const category = "Load/cost=10us/rate=50k"
	fast := []float64{10, 10.1, 10.2, 10.3, 10.4}
	for _, c := range []struct {
		b    []float64
		want string
	}{
		{[]float64{22, 22.1, 22.2, 22.3, 22.4}, "Take A: "},
		{[]float64{10, 10.1, 10.2, 10.3, 10.5}, "Take A or B: they are level"},
		{[]float64{11, 31, 12, 9, 10}, "Take A or B: A is fastest here, and undecided against B"},
	} {
		choices := Choices(rows(category, map[string][]float64{"A": fast, "B": c.b, "A" + result.ReplicaSuffix: fast}))
		answer := choices[0].Answer(question)
		if !strings.Contains(answer, c.want) || strings.Contains(answer, result.ReplicaSuffix) || choices[0].Replica == nil {
			t.Errorf("%v: %s", c.b, answer)
		}
	}
}

func TestAReplicaThatDiffersFromItsOriginalLeavesNoAnswer(t *testing.T) {
	const category = "Load/cost=1us/rate=100k"
	fast := []float64{10, 10.1, 10.2, 10.3, 10.5}
	for _, c := range []struct {
		replica []float64
		answer  bool
	}{
		{[]float64{10.4, 10.3, 10.1, 10, 10.2}, true},
		{[]float64{9, 30, 11, 10, 12}, true},               // uneven, and not behind for certain
		{[]float64{-10, -10.1, -10.2, -10.3, 10.5}, false}, // does not keep up
		{[]float64{100, 101, 102, 103, 105}, false},        // behind
		{[]float64{1, 1.01, 1.02, 1.03, 1.05}, false},      // ahead
	} {
		choices := Choices(rows(category, map[string][]float64{"A": fast, "B": {20, 21, 22, 23, 24}, "A" + result.ReplicaSuffix: c.replica}))
		if answer := choices[0].Answer(question); strings.Contains(answer, "Take A: ") != c.answer || strings.Contains(answer, "It gives no answer") == c.answer {
			t.Errorf("%v: %s", c.replica, answer)
		}
	}
}

func TestWhatDisturbsIsMeasuredByWhatWasAskedFor(t *testing.T) {
	choices := Choices(rows("Load/cost=0us/rate=50k", map[string][]float64{"A": {50, 50, 50, 50, 50}, "Direct": {300, 300, 300, 300, 300}}))
	for limit, want := range map[time.Duration]bool{0: true, time.Millisecond: true, 10 * time.Millisecond: false} {
		if got := choices[0].disturbed(limit); got != want {
			t.Errorf("a control of 300 µs disturbs an answer about %v: %v", limit, got)
		}
	}
}
