package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestTwoSecondsOfMixedLoadLoseNothing(t *testing.T) {
	r := soak(t.Context(), config{duration: 2 * time.Second, loops: 2}, io.Discard)
	for _, c := range r.Counts {
		if !c.good() || c.Begun == 0 && c.Kind != "loops" {
			t.Errorf("%+v", c)
		}
	}
	if len(r.Rows) < fewest || r.Faults == 0 || r.Faults != r.Reported || r.Before != r.After {
		t.Errorf("%d rows; %d faults, of which %d were reported; before %+v, after %+v", len(r.Rows), r.Faults, r.Reported, r.Before, r.After)
	}
}

func TestLeaksAndLossesAreFound(t *testing.T) {
	end := make(chan struct{})
	defer close(end)
	var kept [][]byte
	for _, test := range []struct {
		name, found string
		leak        func(*load) // called in each pause
	}{
		{"Memory", "memory: GROWS", func(*load) { kept = append(kept, make([]byte, 4<<20)) }},
		{"Goroutines", "goroutines: GROWS", func(*load) {
			for range 10 {
				go func() { <-end }()
			}
		}},
		{"Descriptors", "descriptors: GROWS", func(*load) {
			for range 10 {
				if f, err := os.Open(os.DevNull); err == nil {
					t.Cleanup(func() { _ = f.Close() })
				}
			}
		}},
		{"Lost", "not all that was begun has ended", func(s *load) { s.accepted.begun.Add(1) }},
		{"Twice", "1 twice", func(s *load) {
			if s.accepted.twice.Load() == 0 {
				it := s.accepted.begin(&s.nothing)
				it.end()
				it.end()
			}
		}},
		{"Unreported", "of which the handler was told of", func(s *load) { s.faults.Add(1) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.name == "Descriptors" && descriptors() < 0 {
				t.Skip("this system does not tell how many descriptors are open")
			}
			r := soak(t.Context(), config{duration: time.Second / 2, loops: 1, patience: time.Second, leak: test.leak}, io.Discard)
			if found := strings.Join(r.Failures, "\n"); r.Good || !strings.Contains(found, test.found) {
				t.Errorf("not found: %s in %q", test.found, found)
			}
		})
	}
	_ = kept
}

func TestAnInterruptEndsTheRunWithAVerdict(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	file := filepath.Join(t.TempDir(), "soak.json")
	var out bytes.Buffer
	if code := run(ctx, []string{"-for", "1h", "-loops", "1", "-o", file}, &out, &out); code != 0 || !strings.Contains(out.String(), "verdict after") {
		t.Errorf("exit code %d\n%s", code, &out)
	}
	text, err := os.ReadFile(file)
	var r Result
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil || !r.Good || r.For != time.Hour || len(r.Rows) == 0 {
		t.Errorf("%v: %s", err, text)
	}
}

func TestFlagsThatMakeNoSenseAreRefused(t *testing.T) {
	for _, args := range [][]string{{"-for", "-1s"}, {"-loops", "0"}, {"more"}, {"-nothing"}} {
		if code := run(t.Context(), args, io.Discard, io.Discard); code != 2 {
			t.Errorf("%v: exit code %d", args, code)
		}
	}
}

func TestGrowthIsToldFromSpread(t *testing.T) {
	noisy := []float64{9, 11, 10, 8, 12, 10, 9, 11}
	for _, test := range []struct {
		rows []float64
		flat bool
	}{
		{[]float64{1, 1, 1, 1, 5, 5, 5, 5}, true}, // the first half warms up
		{[]float64{1, 2, 3, 4, 5, 6, 7, 8}, false},
		{[]float64{1, 1, 1, 1, 1, 1, 2, 2}, true}, // no more than the allowance
		{append(noisy, noisy...), true},
		{append(noisy, 10, 13, 14, 15, 20, 20, 21, 25), false},
		{[]float64{1, 9}, true}, // too few to tell
	} {
		if got := trend("goroutines", test.rows, 2); got.Flat != test.flat {
			t.Errorf("%v: %s", test.rows, got)
		}
	}
}
