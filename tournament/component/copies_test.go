package component

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// The structures inside the core cannot be reached from here, and an export for the sake of a benchmark would cost the
// core its freedom. So the benchmarks work on copies, and this test sees to it that they are the core's, to the letter.
func TestTheCopiesAreTheCoresOwnStructures(t *testing.T) {
	for _, name := range []string{"fifo", "batch", "timerheap"} {
		core, err := os.ReadFile("../../" + name + ".go")
		if errors.Is(err, fs.ErrNotExist) {
			t.Skip("the core's source is not beside this module, so there is nothing to compare the copies with")
		}
		if err != nil {
			t.Fatal(err)
		}
		copied, err := os.ReadFile("copy_" + name + "_test.go")
		if err != nil {
			t.Fatal(err)
		}
		_, text, _ := strings.Cut(string(copied), "package component")
		_, want, _ := strings.Cut(string(core), "package eventloop")
		if text != want {
			t.Errorf("copy_%s_test.go is not the core's %s.go: copy it again", name, name)
		}
	}
}
