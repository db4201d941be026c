package contracts_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// compare performs one program in both worlds, and fails where their logs part.
func compare(t *testing.T, data []byte) (lines int) {
	t.Helper()
	p := decode(data)

	d := &driver{inside: p.inside}
	m := &model{d: d, state: modelNew, autoExit: p.autoExit, outside: p.outside}
	d.w = m
	for _, o := range p.before {
		d.perform(o, true)
	}
	m.run()

	var got *driver
	var dropped eventloop.Dropped
	synctest.Test(t, func(t *testing.T) {
		got = &driver{inside: p.inside}
		r := &real{start: time.Now()}
		options := []eventloop.Option{r.reported(got)}
		if p.autoExit {
			options = append(options, eventloop.WithAutoExit())
		}
		r.l = eventloop.New(options...)
		if len(data)%2 == 1 { // observed phases have a loop of their own
			inspect.Observe(r.l, inspect.Phases|inspect.Callbacks, func(inspect.Event) {})
		}
		got.w = r
		for _, o := range p.before {
			got.perform(o, true)
		}
		result := testkit.Launch(r.l)
		for _, e := range p.outside {
			time.Sleep(time.Duration(e.at - r.now()))
			got.perform(e.op, true)
			synctest.Wait() // until the loop is parked, or busy until a later time
		}
		<-result
		<-r.l.Done()
		dropped = r.l.Dropped()
	})

	if got.String() != d.String() {
		i := 0
		for i < len(got.log) && i < len(d.log) && got.log[i] == d.log[i] {
			i++
		}
		from := max(0, i-12)
		t.Errorf("the loop and the model part at line %d (auto exit: %v). The loop:\n%s\nThe model:\n%s", i, p.autoExit,
			strings.Join(got.log[from:min(i+3, len(got.log))], "\n"), strings.Join(d.log[from:min(i+3, len(d.log))], "\n"))
	}
	if dropped != m.dropped {
		t.Errorf("the loop dropped %+v, the model %+v", dropped, m.dropped)
	}
	return len(d.log)
}

// Random programs of all operations run in the loop and in the model, to the same log.
func TestLoopAgreesWithTheModel(t *testing.T) {
	n := testkit.Scale(20_000)
	lines := 0
	for seed := range uint64(n) {
		random := rand.New(rand.NewPCG(seed, 1))
		data := make([]byte, 100+random.IntN(900))
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

func FuzzLoopAgainstModel(f *testing.F) {
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
