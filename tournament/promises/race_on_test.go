//go:build race

package promises_test

const raceEnabled = true
