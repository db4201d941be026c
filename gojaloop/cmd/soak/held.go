package main

import (
	"os"
	"runtime"
	"time"
)

// held has the resources of a process.
type held struct {
	memory                  uint64 // bytes of the heap in use after a garbage collection, and of stacks
	goroutines, descriptors int    // descriptors are -1 where they cannot be counted
}

// hold measures while nothing is in progress. Goroutines that have done their work may still have to be scheduled to end, so it
// looks for the lowest counts within a while.
func hold(while time.Duration, enough func(held) bool) held {
	low := held{goroutines: runtime.NumGoroutine(), descriptors: descriptors()}
	for until := time.Now().Add(while); !enough(low) && time.Now().Before(until); {
		time.Sleep(5 * time.Millisecond)
		low.goroutines = min(low.goroutines, runtime.NumGoroutine())
		low.descriptors = min(low.descriptors, descriptors())
	}
	runtime.GC() // objects found by the first collection may have finalizers, or be in a pool
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	low.memory = m.HeapAlloc + m.StackInuse
	return low
}

// warm opens and closes a pipe, so that the runtime opens the descriptors that it keeps.
func warm() {
	if r, w, err := os.Pipe(); err == nil {
		_ = r.Close()
		_ = w.Close()
	}
}

func descriptors() int {
	for _, dir := range []string{"/proc/self/fd", "/dev/fd"} {
		if names, err := os.ReadDir(dir); err == nil {
			return len(names) - 1 // without the descriptor of the folder
		}
	}
	return -1
}
