//go:build !race

package contracts_test

const raceEnabled = false
