//go:build !race

package gojaloop_test

const raceEnabled = false
