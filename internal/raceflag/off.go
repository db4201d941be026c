//go:build !race

// Package raceflag reports whether the race detector is on, which makes tests about ten times as slow.
package raceflag

// Enabled reports whether the race detector is on.
const Enabled = false
