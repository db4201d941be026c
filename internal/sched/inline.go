//go:build !explore

package sched

// The compiler inlines a method of sync/atomic in a package without an import of sync/atomic only under a condition.
// One of the package's imports must have exported the method's body, because its own inlinable functions call that
// method. These functions do so for all importers of this package. They are never called.

func InlineBool(x *Bool) bool {
	x.Store(true)
	return x.Load() && x.CompareAndSwap(true, x.Swap(false))
}

func InlineInt32(x *Int32) int32 {
	x.Store(1)
	x.CompareAndSwap(x.Load(), x.Swap(2))
	return x.Add(1)
}

func InlineInt64(x *Int64) int64 {
	x.Store(1)
	x.CompareAndSwap(x.Load(), x.Swap(2))
	return x.Add(1)
}

func InlineUint32(x *Uint32) uint32 {
	x.Store(x.And(1) | x.Or(2))
	x.CompareAndSwap(x.Load(), x.Swap(2))
	return x.Add(1)
}

func InlineUint64(x *Uint64) uint64 {
	x.Store(1)
	x.CompareAndSwap(x.Load(), x.Swap(2))
	return x.Add(1)
}
