package main

// A loop that is driven.
var driverMutants = []mutant{
	{
		name: "who drives a loop is not told of wake-ups", in: ".", test: "TestExploreDriver", most: 2000, quick: true,
		edits: []edit{{".", "== 0; taken++ {\n\t\td.signal()\n\t}", "== 0; taken++ {\n\t}"}},
	},
	{
		name: "who drives a loop is not told of what is left", in: ".", test: "TestExploreDriver", most: 2000,
		edits: []edit{{".", "\tif more {\n\t\td.signal()\n\t}\n", ""}},
	},
	{
		name: "two goroutines drive a loop", in: ".", test: "TestExploreDriver", most: 2000,
		edits: []edit{{".", "if !d.busy.CompareAndSwap(false, true) {", "if d.busy.Store(true); false {"}},
	},
	{
		name: "who was refused is not told again", in: ".", test: "TestExploreDriver", most: 20000,
		edits: []edit{{".", "\t\td.refused.Store(true)\n", ""}},
	},
	{
		name: "a wake-up of a driven loop comes after its end", in: ".", test: "TestExploreDriver", most: 20000,
		edits: []edit{{".", "\tfor ; taken < d.owed; taken++ {\n", "\tfor false {\n"}},
	},
}
