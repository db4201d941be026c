package contestants_test

import (
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/contestants"
)

// Package check tests the behaviour of the loops: it runs every suite on every contestant.
func TestContestantsAreDescribedAndNamedApart(t *testing.T) {
	seen := make(map[string]bool)
	for _, c := range contestants.All() {
		if err := c.Validate(); err != nil || seen[c.Name] {
			t.Errorf("name %q: %v", c.Name, err)
		}
		if c.About == "" || strings.Contains(c.About, "\n") {
			t.Errorf("%s: not described in one line", c.Name)
		}
		if c.VariantOf != "" && !seen[c.VariantOf] {
			t.Errorf("%s is a variant of %s, which does not come before it", c.Name, c.VariantOf)
		}
		seen[c.Name] = true
	}
}
