package explore

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A Mutex is a sync.Mutex whose operations are points of choice.
type Mutex struct {
	mu   sync.Mutex // outside a run
	held bool       // in a run
}

// Lock locks m.
func (m *Mutex) Lock() {
	r := current.Load()
	if r == nil {
		m.mu.Lock()
		return
	}
	r.cur.mu, r.cur.wait = m, waitsForMutex
	r.block("Lock")
	m.held = true
}

// TryLock locks m if that is possible at once.
func (m *Mutex) TryLock() bool {
	r := current.Load()
	if r == nil {
		return m.mu.TryLock()
	}
	r.point("TryLock")
	if m.held {
		return false
	}
	m.held = true
	return true
}

// Unlock unlocks m.
func (m *Mutex) Unlock() {
	r := current.Load()
	if r == nil {
		m.mu.Unlock()
		return
	}
	r.point("Unlock")
	if !m.held {
		panic("explore: unlock of unlocked mutex")
	}
	m.held = false
}

// before is the point of choice of an atomic operation.
func before(op string) {
	if r := current.Load(); r != nil {
		r.point(op)
	}
}

// Bool is an atomic.Bool whose operations are points of choice. The other types do the same for theirs.
type Bool struct{ v atomic.Bool }

func (b *Bool) Load() bool       { before("Load"); return b.v.Load() }
func (b *Bool) Store(v bool)     { before("Store"); b.v.Store(v) }
func (b *Bool) Swap(v bool) bool { before("Swap"); return b.v.Swap(v) }
func (b *Bool) CompareAndSwap(old, v bool) bool {
	before("CompareAndSwap")
	return b.v.CompareAndSwap(old, v)
}

// Int32 is an atomic.Int32.
type Int32 struct{ v atomic.Int32 }

func (i *Int32) Load() int32        { before("Load"); return i.v.Load() }
func (i *Int32) Store(v int32)      { before("Store"); i.v.Store(v) }
func (i *Int32) Add(d int32) int32  { before("Add"); return i.v.Add(d) }
func (i *Int32) Swap(v int32) int32 { before("Swap"); return i.v.Swap(v) }
func (i *Int32) And(m int32) int32  { before("And"); return i.v.And(m) }
func (i *Int32) Or(m int32) int32   { before("Or"); return i.v.Or(m) }
func (i *Int32) CompareAndSwap(old, v int32) bool {
	before("CompareAndSwap")
	return i.v.CompareAndSwap(old, v)
}

// Int64 is an atomic.Int64.
type Int64 struct{ v atomic.Int64 }

func (i *Int64) Load() int64        { before("Load"); return i.v.Load() }
func (i *Int64) Store(v int64)      { before("Store"); i.v.Store(v) }
func (i *Int64) Add(d int64) int64  { before("Add"); return i.v.Add(d) }
func (i *Int64) Swap(v int64) int64 { before("Swap"); return i.v.Swap(v) }
func (i *Int64) And(m int64) int64  { before("And"); return i.v.And(m) }
func (i *Int64) Or(m int64) int64   { before("Or"); return i.v.Or(m) }
func (i *Int64) CompareAndSwap(old, v int64) bool {
	before("CompareAndSwap")
	return i.v.CompareAndSwap(old, v)
}

// Uint32 is an atomic.Uint32.
type Uint32 struct{ v atomic.Uint32 }

func (i *Uint32) Load() uint32         { before("Load"); return i.v.Load() }
func (i *Uint32) Store(v uint32)       { before("Store"); i.v.Store(v) }
func (i *Uint32) Add(d uint32) uint32  { before("Add"); return i.v.Add(d) }
func (i *Uint32) Swap(v uint32) uint32 { before("Swap"); return i.v.Swap(v) }
func (i *Uint32) And(m uint32) uint32  { before("And"); return i.v.And(m) }
func (i *Uint32) Or(m uint32) uint32   { before("Or"); return i.v.Or(m) }
func (i *Uint32) CompareAndSwap(old, v uint32) bool {
	before("CompareAndSwap")
	return i.v.CompareAndSwap(old, v)
}

// Uint64 is an atomic.Uint64.
type Uint64 struct{ v atomic.Uint64 }

func (i *Uint64) Load() uint64         { before("Load"); return i.v.Load() }
func (i *Uint64) Store(v uint64)       { before("Store"); i.v.Store(v) }
func (i *Uint64) Add(d uint64) uint64  { before("Add"); return i.v.Add(d) }
func (i *Uint64) Swap(v uint64) uint64 { before("Swap"); return i.v.Swap(v) }
func (i *Uint64) And(m uint64) uint64  { before("And"); return i.v.And(m) }
func (i *Uint64) Or(m uint64) uint64   { before("Or"); return i.v.Or(m) }
func (i *Uint64) CompareAndSwap(old, v uint64) bool {
	before("CompareAndSwap")
	return i.v.CompareAndSwap(old, v)
}

// Pointer is an atomic.Pointer.
type Pointer[T any] struct{ v atomic.Pointer[T] }

func (p *Pointer[T]) Load() *T     { before("Load"); return p.v.Load() }
func (p *Pointer[T]) Store(v *T)   { before("Store"); p.v.Store(v) }
func (p *Pointer[T]) Swap(v *T) *T { before("Swap"); return p.v.Swap(v) }
func (p *Pointer[T]) CompareAndSwap(old, v *T) bool {
	before("CompareAndSwap")
	return p.v.CompareAndSwap(old, v)
}

// Yield lets others go on, if they can.
func Yield() {
	r := current.Load()
	if r == nil {
		runtime.Gosched()
		return
	}
	g := r.enter("Yield")
	g.fresh = false
	r.pass(g, r.choose(g, true, true))
}

// Pause is a point of choice in a run, and an empty loop outside.
func Pause(iterations int) {
	if r := current.Load(); r != nil {
		r.point("Pause")
		return
	}
	for range iterations {
	}
}

// Processors is how many goroutines seem to run at the same time.
func Processors() int {
	if r := current.Load(); r != nil {
		return r.processors
	}
	return runtime.GOMAXPROCS(0)
}
