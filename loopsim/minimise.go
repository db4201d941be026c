package loopsim

import "slices"

// mostRuns limits how many worlds are run to make a story smaller.
const mostRuns = 400

// minimise looks for the smallest selection of faults and steps with which the world still fails in the same way: delta debugging.
// It returns the world that has it, and how many worlds were run.
func minimise(failed *World, run func(*selection) *World) (least *World, runs int) {
	least = failed
	chosen := make([]int, len(failed.faults)+len(failed.steps)) // the steps are numbered behind the faults
	n := 0
	for i := range chosen {
		if i < len(failed.faults) && failed.keep.fault(i) || i >= len(failed.faults) && failed.keep.step(i-len(failed.faults)) {
			chosen[n] = i
			n++
		}
	}
	chosen = chosen[:n]
	fails := func(try []int) bool {
		if runs >= mostRuns {
			return false
		}
		runs++
		s := &selection{some: true}
		for _, i := range try {
			if i < len(failed.faults) {
				s.faults = append(s.faults, i)
			} else {
				s.steps = append(s.steps, i-len(failed.faults))
			}
		}
		w := run(s)
		if w.failure == nil || w.failure.class != failed.failure.class {
			return false
		}
		least = w
		return true
	}
	for size := len(chosen); size > 0; {
		smaller := false
		for from := 0; from < len(chosen); {
			try := slices.Delete(slices.Clone(chosen), from, min(from+size, len(chosen)))
			if fails(try) {
				chosen, smaller = try, true
			} else {
				from += size
			}
		}
		if size == 1 && !smaller {
			break
		}
		if size > 1 {
			size /= 2
		}
	}
	return least, runs
}
