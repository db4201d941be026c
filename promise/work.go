package promise

// A worker calls functions that begin some work and return its promise.
type worker[T any] interface {
	// begun receives the promise of the work, which belongs to the worker's loop.
	begun(*Promise[T])
	// failed receives the reason why no work began.
	failed(error)
}

// begin calls fn for w, on the loop. It calls w exactly once, also if fn panics or calls Goexit.
func begin[T any](loop *core, w worker[T], fn func() *Promise[T]) {
	returned := false
	defer func() {
		if !returned {
			w.failed(failure(recover()))
		}
	}()
	p := fn()
	returned = true
	if p.zero() {
		w.failed(ErrNilPromise)
		return
	}
	w.begun(on(loop, p))
}
