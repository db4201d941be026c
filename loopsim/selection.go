package loopsim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A selection says which faults and steps of a world are kept. The zero selection keeps all.
type selection struct {
	some   bool
	faults []int
	steps  []int
}

func (s *selection) fault(i int) bool { return !s.some || slices.Contains(s.faults, i) }
func (s *selection) step(i int) bool  { return !s.some || slices.Contains(s.steps, i) }

// String is the form that parseSeed takes, behind the seed.
func (s *selection) String() string {
	if !s.some {
		return ""
	}
	return "/faults=" + numbers(s.faults) + "/steps=" + numbers(s.steps)
}

func numbers(n []int) string {
	var parts []string
	for _, i := range n {
		parts = append(parts, strconv.Itoa(i))
	}
	return strings.Join(parts, ",")
}

// parseSeed reads "7" or "7/faults=0,3/steps=1": a seed, and the faults and steps to keep.
func parseSeed(text string) (seed uint64, keep *selection, err error) {
	parts := strings.Split(text, "/")
	bad := fmt.Errorf("-loopsim.seed is %q; want a number, or what a failure has printed, such as 7/faults=0,3/steps=1", text)
	if seed, err = strconv.ParseUint(parts[0], 10, 64); err != nil {
		return 0, nil, bad
	}
	keep = &selection{some: len(parts) > 1}
	for _, part := range parts[1:] {
		key, list, _ := strings.Cut(part, "=")
		var n []int
		for field := range strings.SplitSeq(list, ",") {
			if field == "" {
				continue
			}
			i, err := strconv.Atoi(field)
			if err != nil || i < 0 {
				return 0, nil, bad
			}
			n = append(n, i)
		}
		switch key {
		case "faults":
			keep.faults = n
		case "steps":
			keep.steps = n
		default:
			return 0, nil, bad
		}
	}
	return seed, keep, nil
}
