package js_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/internal/raceflag"
)

// compare performs one program in both worlds, and fails where their logs part.
func compare(t *testing.T, data []byte) (lines int) {
	t.Helper()
	p := decode(data)

	d := &driver{inside: p.inside}
	m := &model{d: d, web: p.web, outside: p.outside}
	d.w = m
	m.external = []func(){func() {
		for _, o := range p.main {
			d.perform(o, false)
		}
	}}
	m.run(p.autoExit, p.end())
	d.note("%d move at %d", m.active(), m.clock)
	m.run(false, m.clock+20*millisecond+1)
	m.closeEnv()
	d.note("%d are left", m.active())

	got := perform(t, p)
	if a, b := strings.Join(got.log, "\n"), strings.Join(d.log, "\n"); a != b {
		i := 0
		for i < len(got.log) && i < len(d.log) && got.log[i] == d.log[i] {
			i++
		}
		from := max(0, i-12)
		t.Errorf("they part at line %d (auto exit: %v, web: %v). The environment:\n%s\nThe model:\n%s", i, p.autoExit, p.web,
			strings.Join(got.log[from:min(i+3, len(got.log))], "\n"), strings.Join(d.log[from:min(i+3, len(d.log))], "\n"))
	}
	if m.active() != 0 {
		t.Errorf("the model counts %d at the end", m.active())
	}
	return len(d.log)
}

// scale is how many programs of n to perform: a tenth with -short or under the race detector, or the value of
// EVENTLOOP_PROGRAMS.
func scale(n int) int {
	if v, err := strconv.Atoi(os.Getenv("EVENTLOOP_PROGRAMS")); err == nil {
		return v
	}
	if testing.Short() || raceflag.Enabled {
		return n / 10
	}
	return n
}

// Random programs run in an environment and in the model, to the same log.
func TestEnvironmentAgreesWithTheModel(t *testing.T) {
	n := scale(10_000)
	lines := 0
	for seed := range uint64(n) {
		random := rand.New(rand.NewPCG(seed, 1))
		data := make([]byte, 60+random.IntN(500))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		if lines += compare(t, data); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if lines < 20*n {
		t.Errorf("%d programs left %d lines: they do too little to compare anything", n, lines)
	}
}

func FuzzEnvironmentAgainstModel(f *testing.F) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 2))
		data := make([]byte, 50*seed)
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4096 {
			t.Skip("long programs find nothing that short ones do not, and are slow")
		}
		compare(t, data)
	})
}
