package result

// A Crowding is how many goroutines for each processor compute while a category runs. They simulate the rest of a
// program: a loop that relies on a free processor is slow beside them.
type Crowding int

// The crowdings, with the names that categories and conditions have for them.
const (
	Idle       Crowding = 0
	Crowded    Crowding = 1
	Overloaded Crowding = 2
)

// String is the value of the parameter "computing" in the name of a category.
func (c Crowding) String() string {
	return [...]string{"none", "P", "2P"}[c]
}

// About describes the computing goroutines.
func (c Crowding) About() string {
	return [...]string{"nothing else runs", "one goroutine for each processor computes", "two goroutines for each processor compute"}[c]
}
