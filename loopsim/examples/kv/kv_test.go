package kv

import (
	"testing"

	"github.com/eventloop-go/eventloop/loopsim"
)

func TestTheProgramHolds(t *testing.T) { loopsim.Run(t, Config(), World(None)) }

func TestEachKnownFaultIsFound(t *testing.T) {
	for _, bug := range Bugs() {
		t.Run(string(bug), func(t *testing.T) {
			cfg := Config()
			cfg.Seeds = 20_000
			f := loopsim.Find(cfg, World(bug))
			if f == nil {
				t.Fatal("not found")
			}
			t.Logf("seed %d after %v: %s: %s\n%s", f.Seed, f.Took, f.Class, f.Text, f.Story(12))
		})
	}
}
