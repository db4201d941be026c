package result

import (
	"fmt"
	"maps"
)

// Join adds the samples of g to those of f. They were taken in other processes of the same program on the same
// machine. Processes of g are numbered behind the processes of f. A row that failed in either has failed.
func (f *File) Join(g *File) error {
	switch {
	case !f.Environment.SameMachine(g.Environment) || f.Environment.Binary != g.Environment.Binary:
		return fmt.Errorf("comes from another environment than the results before it")
	case f.Protocol.Benchtime != g.Protocol.Benchtime:
		return fmt.Errorf("has samples of %v, the results before it of %v", g.Protocol.Benchtime, f.Protocol.Benchtime)
	}
	last := max(f.lastProcess(), f.Protocol.Processes)
	f.Environment.LoadAfter = g.Environment.LoadAfter
	f.Protocol.Count += g.Protocol.Count
	f.Protocol.Processes += g.Protocol.Processes
	f.Interrupted = f.Interrupted || g.Interrupted
	f.About.Categories = joined(f.About.Categories, g.About.Categories)
	f.About.Contestants = joined(f.About.Contestants, g.About.Contestants)
	f.Checks = append(f.Checks, g.Checks...)
	type key struct{ category, contestant string }
	rows := make(map[key]int)
	for i := range f.Rows {
		rows[key{f.Rows[i].Category, f.Rows[i].Contestant}] = i
	}
	for _, row := range g.Rows {
		for i := range row.Samples {
			row.Samples[i].Process += last
		}
		i, ok := rows[key{row.Category, row.Contestant}]
		switch {
		case !ok:
			f.Rows = append(f.Rows, row)
		case f.Rows[i].Error != "":
		case row.Error != "":
			f.Rows[i].Error, f.Rows[i].Samples = row.Error, nil
		default:
			f.Rows[i].Cost = row.Cost
			f.Rows[i].Samples = append(f.Rows[i].Samples, row.Samples...)
		}
	}
	return nil
}

func joined(a, b map[string]string) map[string]string {
	if a == nil {
		return b
	}
	maps.Copy(a, b)
	return a
}

func (f *File) lastProcess() int {
	last := 0
	for i := range f.Rows {
		for j := range f.Rows[i].Samples {
			last = max(last, f.Rows[i].Samples[j].Process)
		}
	}
	return last
}
