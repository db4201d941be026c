//go:build race

package gojaloop_test

const raceEnabled = true
