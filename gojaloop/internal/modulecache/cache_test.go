package modulecache

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/dop251/goja"
)

func compileCounting(n *int) func() (*goja.Program, error) {
	return func() (*goja.Program, error) {
		*n++
		return goja.MustCompile("m", "1", false), nil
	}
}

func TestProgramsAreFoundByNameAndText(t *testing.T) {
	n := 0
	get := func(name, src string) *goja.Program {
		prg, err := Get(name, src, compileCounting(&n))
		if err != nil {
			t.Fatal(err)
		}
		return prg
	}
	first := get("/a.js", "text")
	if get("/a.js", "text") != first || n != 1 {
		t.Errorf("compiled %d times, want once", n)
	}
	if get("/a.js", "another") == first || get("/b.js", "text") == first || n != 3 {
		t.Errorf("another text or name got the same program, or none: compiled %d times, want 3", n)
	}
}

func TestErrorsAreNotKept(t *testing.T) {
	fails := errors.New("made by the test")
	if _, err := Get("/e.js", "text", func() (*goja.Program, error) { return nil, fails }); err != fails {
		t.Errorf("got %v", err)
	}
	n := 0
	if prg, err := Get("/e.js", "text", compileCounting(&n)); prg == nil || err != nil || n != 1 {
		t.Errorf("got %v, %v after %d compilations", prg, err, n)
	}
}

func TestTheCacheIsBounded(t *testing.T) {
	n := 0
	src := strings.Repeat(" ", limit/8)
	for i := range 20 {
		if _, err := Get(fmt.Sprint("/bound", i), src, compileCounting(&n)); err != nil {
			t.Fatal(err)
		}
	}
	if size > limit || len(entries) != len(order) {
		t.Errorf("%d bytes are kept, the limit is %d; %d entries in order of %d", size, limit, len(entries), len(order))
	}
	n = 0
	_, _ = Get("/bound19", src, compileCounting(&n))
	_, _ = Get("/bound0", src, compileCounting(&n))
	if n != 1 {
		t.Errorf("compiled %d of the newest and the oldest, want the oldest alone", n)
	}
}
