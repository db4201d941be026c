//go:build race

package eventloop

const raceEnabled = true
