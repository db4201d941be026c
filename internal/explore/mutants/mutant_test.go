package main

import (
	"path/filepath"
	"testing"
)

// The code changes, and the mutants have to follow.
func TestEachMutantCanBeMade(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	names := make(map[string]bool)
	for _, m := range mutants {
		if names[m.name] {
			t.Errorf("two mutants are called %q", m.name)
		}
		names[m.name] = true
		if _, err := m.changed(root); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
	}
}
