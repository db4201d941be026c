// Package process is Node's process: facts about the program and the machine, its events, and the exit code.
package process

import (
	"runtime"
	"time"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
	"github.com/eventloop-go/eventloop/internal/cpuusage"
)

// Facts are the embedder's description of the process.
type Facts struct {
	Arguments, Flags []string
	Environment      map[string]string
}

// Define defines the natives of process.js.
func Define(e engine.Engine, facts Facts) {
	start := time.Now()
	e.Define("execArgv", func(engine.Args) any { return list(facts.Flags) })
	e.Define("argv", func(engine.Args) any { return list(facts.Arguments) })
	e.Define("env", func(engine.Args) any {
		var env engine.Object
		for k, v := range facts.Environment {
			env = append(env, k, v)
		}
		return env
	})
	e.Define("platform", platform())
	e.Define("arch", arch())
	e.Define("nanoseconds", func(engine.Args) any { return float64(time.Since(start)) })
	e.Define("memory", func(a engine.Args) any { return memoryOf(a.Text(0)) })
	e.Define("cpuUsage", func(engine.Args) any {
		user, system := cpuusage.Process()
		return engine.Object{"user", user.Microseconds(), "system", system.Microseconds()}
	})
}

func list(items []string) engine.Array {
	values := make(engine.Array, len(items))
	for i, s := range items {
		values[i] = s
	}
	return values
}

func platform() string {
	if runtime.GOOS == "windows" {
		return "win32"
	}
	return runtime.GOOS
}

func arch() string {
	switch runtime.GOARCH {
	case "amd64":
		return "x64"
	case "386":
		return "ia32"
	}
	return runtime.GOARCH
}
