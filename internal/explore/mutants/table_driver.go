package main

// A loop that is driven.
var driverMutants = []mutant{
	{
		name: "the driver of a loop is not told of wake-ups", in: "tests/explore", test: "TestExploreDriver", most: 2000, quick: true,
		edits: []edit{{".", "\tif l.ready != nil {\n\t\tsched.TrySend(l.ready)", "\tif l.ready != nil {"}},
	},
	{
		name: "the driver of a loop is not told what is left, or has come up", in: "tests/explore", test: "TestExploreDriver", most: 2000,
		edits: []edit{{".", "\tif !asleep {\n\t\tsched.TrySend(l.ready)\n\t}\n", "\t_ = asleep\n"}},
	},
	{
		name: "two goroutines drive a loop", in: "tests/explore", test: "TestExploreDriver", most: 2000,
		edits: []edit{{".", "if !d.busy.CompareAndSwap(false, true) {", "if d.busy.Store(true); false {"}},
	},
	{
		name: "the driver looks for work that came up before it gives the loop back", in: "tests/explore", test: "TestExploreDriver", most: 20000,
		edits: []edit{{
			".",
			"\td.busy.Store(false)\n\tl.in.mu.lock()\n\tasleep := l.in.sleeping\n\tl.in.mu.unlock()\n",
			"\tl.in.mu.lock()\n\tasleep := l.in.sleeping\n\tl.in.mu.unlock()\n\td.busy.Store(false)\n",
		}},
	},
	{
		name: "a loop that waits in RunOnce is not woken", in: "tests/explore", test: "TestExploreDriver", most: 20000,
		edits: []edit{{".", "\tsched.TrySend(l.token)\n\tif l.ready != nil {", "\tif l.ready == nil {\n\t\tsched.TrySend(l.token)\n\t} else {"}},
	},
}
