package summary

import "slices"

// Groups splits categories where the contestants change: loops and promises do not compete with each other, and a
// table has one set of columns.
func Groups(categories []Category) [][]Category {
	var groups [][]Category
	for i := range categories {
		if i == 0 || !slices.EqualFunc(categories[i].Standings, categories[i-1].Standings, sameContestant) {
			groups = append(groups, nil)
		}
		last := len(groups) - 1
		groups[last] = append(groups[last], categories[i])
	}
	return groups
}

func sameContestant(a, b Standing) bool { return a.Contestant == b.Contestant }

// enters reports whether one of the contestants has a standing in the category, with samples or without.
func (c *Category) enters(contestants ...string) bool {
	return slices.ContainsFunc(c.Standings, func(s Standing) bool { return slices.Contains(contestants, s.Contestant) })
}
