package main

import (
	"strings"
	"testing"
)

func TestBalancesAreThoseOfAllMessages(t *testing.T) {
	var out strings.Builder
	if err := run(t.TempDir(), &out); err != nil || out.String() != "45 45\n" {
		t.Errorf("%v: %s", err, &out)
	}
}
