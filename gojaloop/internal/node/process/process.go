// Package process is Node's process: what it tells of the program and the machine, its events, and the exit code.
package process

import (
	"runtime"
	"time"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
	"github.com/eventloop-go/eventloop/internal/cpuusage"
)

// Facts are what the embedder says that the process is.
type Facts struct {
	Arguments, Flags []string
	Environment      map[string]string
}

// Define gives process.js what it builds on.
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
	e.Define("memory", func(a engine.Args) any {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		bytes := map[string]uint64{"rss": m.Sys, "total": m.HeapSys, "used": m.HeapAlloc}[a.Text(0)]
		return float64(bytes)
	})
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
