package process

import (
	"runtime/metrics"
	"sync"
	"time"
)

// memoryAge is the greatest age of a figure of process.memoryUsage, and memoryStep its unit. So a script that reads
// it continually costs the program nothing, and learns little of the program's other work.
const (
	memoryAge  = 100 * time.Millisecond
	memoryStep = 64 << 10
)

// memory is the last reading of all runtimes of the process. Reading metrics stops no goroutine, unlike
// [runtime.ReadMemStats].
var memory struct {
	sync.Mutex
	read    time.Time
	samples []metrics.Sample
}

var memoryClasses = []string{
	"/memory/classes/total:bytes", "/memory/classes/heap/released:bytes",
	"/memory/classes/heap/objects:bytes", "/memory/classes/heap/unused:bytes", "/memory/classes/heap/free:bytes",
}

// memoryOf returns a figure of process.memoryUsage in bytes: rss, total or used.
func memoryOf(which string) float64 {
	m := &memory
	m.Lock()
	defer m.Unlock()
	if m.samples == nil {
		for _, name := range memoryClasses {
			m.samples = append(m.samples, metrics.Sample{Name: name})
		}
	}
	if now := time.Now(); m.read.IsZero() || now.Sub(m.read) >= memoryAge {
		metrics.Read(m.samples)
		m.read = now
	}
	bytes := func(i int) uint64 { return m.samples[i].Value.Uint64() }
	var n uint64
	switch which {
	case "rss":
		n = bytes(0) - bytes(1)
	case "total":
		n = bytes(2) + bytes(3) + bytes(4)
	case "used":
		n = bytes(2)
	}
	return float64(n / memoryStep * memoryStep)
}
