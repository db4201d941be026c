//go:build race

package check

// race says whether the program runs under the race detector.
const race = true
