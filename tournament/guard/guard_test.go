package guard_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/guard"
	"github.com/eventloop-go/eventloop/tournament/result"
)

func TestASampleThatDidLessOrTookNoTimeIsRefused(t *testing.T) {
	good := result.Sample{N: 100, NsPerOp: 10, Elapsed: time.Microsecond}
	if err := guard.Sample(good, 100); err != nil {
		t.Error(err)
	}
	for want, spoil := range map[string]func(s *result.Sample){
		"99 of 100":           func(s *result.Sample) { s.N = 99 },
		"nothing was timed":   func(s *result.Sample) { s.Elapsed = 0 },
		"0 ns each: nothing":  func(s *result.Sample) { s.NsPerOp = 0 },
		"NaN ns each":         func(s *result.Sample) { s.NsPerOp = math.NaN() },
		"+Inf ns each":        func(s *result.Sample) { s.NsPerOp = math.Inf(1) },
		"not a measurement":   func(s *result.Sample) { s.BytesPerOp = -1 },
		"-1 allocations for ": func(s *result.Sample) { s.AllocsPerOp = -1 },
	} {
		s := good
		spoil(&s)
		if err := guard.Sample(s, 100); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

var kept [][]byte

func TestMemoryThatGrowsWithTheOperationsIsNoticed(t *testing.T) {
	defer func() { kept = nil }()
	const n = 50_000
	for name, test := range map[string]struct {
		keep   func()
		leaves bool
	}{
		"nothing":                        {func() {}, false},
		"garbage":                        {func() { kept = [][]byte{make([]byte, n*64)} }, false},
		"the buffers of a backlog":       {func() { kept = [][]byte{make([]byte, 16*n), make([]byte, 16*n)} }, false},
		"an object for each":             {func() { keepEach(n, 32) }, true},
		"an object for one in ten":       {func() { keepEach(n/10, 32) }, true},
		"a few things once":              {func() { keepEach(1000, 32) }, false},
		"many bytes in few objects":      {func() { kept = [][]byte{make([]byte, 200*n)} }, true},
		"an object for each, later gone": {func() { keepEach(n, 32); kept = nil }, false},
	} {
		kept = nil
		before := guard.Alive()
		test.keep()
		if name == "garbage" {
			kept = nil
		}
		var growth *guard.GrowthError
		if err := before.Grown(n); errors.As(err, &growth) != test.leaves {
			t.Errorf("%s: %v", name, err)
		}
		if err := before.Grown(100); err != nil {
			t.Errorf("%s, in 100 operations: %v", name, err)
		}
	}
}

func keepEach(n, size int) {
	for range n {
		kept = append(kept, make([]byte, size))
	}
}
