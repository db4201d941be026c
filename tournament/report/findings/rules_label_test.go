package findings

import (
	"slices"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/result"
)

func TestARowUnderTheNameOfAnotherContestantIsNamed(t *testing.T) {
	a := made(t, func(f *result.File) {
		at := slices.IndexFunc(f.Rows, func(r result.Row) bool { return r.Category == "MultiProducer" && r.Contestant == "AlternateOne" })
		wrong := slices.IndexFunc(f.Rows, func(r result.Row) bool { return r.Category == "MultiProducer" && r.Contestant == "Baseline" })
		f.Rows[at].Samples = append(f.Rows[at].Samples, f.Rows[wrong].Samples...)
		f.Rows = slices.Delete(f.Rows, wrong, wrong+1)
		more := f.Rows[at]
		for _, category := range []string{"GCPressure", "MicroWakeupSyscall_Running"} { // a kind needs four categories
			for _, name := range []string{"Main", "AlternateOne", "Baseline"} {
				r := more
				r.Category, r.Contestant, r.Samples = category, name, slices.Clone(more.Samples[:5])
				f.Rows = append(f.Rows, r)
			}
		}
	})
	one(t, a, Mislabelled, "MultiProducer", "AlternateOne twice", "lacks Baseline")
}

func TestAContestantThatIsOnlyAbsentIsNotMislabelled(t *testing.T) {
	none(t, made(t, nil), Mislabelled)
	none(t, made(t, func(f *result.File) {
		f.Rows = slices.DeleteFunc(f.Rows, func(r result.Row) bool { return r.Category == "MultiProducer" && r.Contestant == "Baseline" })
	}), Mislabelled)
	none(t, made(t, func(f *result.File) { // more samples, and nobody is missing
		f.Rows[1].Samples = append(f.Rows[1].Samples, f.Rows[1].Samples...)
	}), Mislabelled)
}

func TestTheTableOfJanuaryHasOneContestantTwiceAndTheLinuxOneHasNot(t *testing.T) {
	for file, want := range map[string]int{"darwin-january.txt": 1, "linux-january.txt": 0, "linux-tournament.txt": 0} {
		in, err := parse.Open("../../../docs/results/published/" + file)
		if err != nil {
			t.Skip("this is a module without its repository: the archive of a release has no results")
		}
		if fs := of(Analyse(group.Match(in), Options{}), Mislabelled); len(fs) != want {
			t.Errorf("%s: %v", file, fs)
		}
	}
}
