// Package modulecache keeps compiled modules for all runtimes of a process. So a server that makes a runtime for each
// request compiles a package once.
package modulecache

import (
	"hash/maphash"
	"sync"

	"github.com/dop251/goja"
)

// limit is how many bytes of source text the cache keeps programs of. The oldest go first; who runs them keeps them.
const limit = 16 << 20

// A key finds a program by a hash. Two texts may have the same, so the entry has the text.
type key struct {
	name string
	hash uint64
}

type entry struct {
	src string
	prg *goja.Program
}

var (
	seed = maphash.MakeSeed()

	mu      sync.Mutex
	entries = make(map[key]entry)
	order   []key // of entries, the oldest first
	size    int   // of their texts
)

// Get returns the program of a module with this name and text. If it is not in the cache, compile makes it, possibly
// on several goroutines at once. Errors are not kept.
func Get(name, src string, compile func() (*goja.Program, error)) (*goja.Program, error) {
	k := key{name, maphash.String(seed, src)}
	if prg := find(k, src); prg != nil {
		return prg, nil
	}
	prg, err := compile()
	if err == nil {
		keep(k, entry{src, prg})
	}
	return prg, err
}

func find(k key, src string) *goja.Program {
	mu.Lock()
	defer mu.Unlock()
	if e, ok := entries[k]; ok && e.src == src {
		return e.prg
	}
	return nil
}

func keep(k key, e entry) {
	mu.Lock()
	defer mu.Unlock()
	if _, there := entries[k]; there || len(e.src) > limit/4 {
		return
	}
	entries[k] = e
	order = append(order, k)
	for size += len(e.src); size > limit; order = order[1:] {
		size -= len(entries[order[0]].src)
		delete(entries, order[0])
	}
}
