//go:build !linux

package environment

import "github.com/eventloop-go/eventloop/tournament/result"

// machine has nothing to add on this system.
func machine(*result.Environment) {}

// Load is the machine's load average of one minute, 0 if unknown.
func Load() float64 { return 0 }
