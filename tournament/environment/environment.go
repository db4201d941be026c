// Package environment says where a tournament runs.
package environment

import (
	"runtime"
	"time"

	"github.com/eventloop-go/eventloop/tournament/result"
)

// Here describes this machine and this program, at this time. A program cannot detect emulation, so emulator is the
// name of the emulator, or empty.
func Here(emulator string) result.Environment {
	e := Machine(emulator)
	e.Commit, e.Dirty = commit()
	return e
}

// Machine is [Here] without the commit, for which git may have to be asked.
func Machine(emulator string) result.Environment {
	e := result.Environment{
		GOOS:       runtime.GOOS,
		GOARCH:     runtime.GOARCH,
		CPU:        cpuName(),
		NumCPU:     runtime.NumCPU(),
		GOMAXPROCS: runtime.GOMAXPROCS(0),
		GoVersion:  runtime.Version(),
		Date:       time.Now().UTC().Truncate(time.Second),
		Execution:  result.ExecutionNative,
		Emulator:   emulator,
	}
	if e.CPU == "" {
		e.CPU = "unknown"
	}
	e.Binary = binary()
	e.LoadBefore = Load()
	machine(&e)
	if emulator != "" {
		e.Execution = result.ExecutionEmulated
	}
	return e
}
