package design

// All returns a promise that is fulfilled when all the promises are, with their values as a []any in their order. It
// rejects as soon as one rejects. It needs no mechanism of its own, only attaching.
//
// All may be called from any goroutine. The count belongs to the loop, where the handlers run; it is complete before
// the first is attached.
func All(e Engine, promises []Promise) Promise {
	all, resolver := e.Pending()
	left, values := len(promises), make([]any, len(promises))
	if left == 0 {
		resolver.Resolve(values)
		return all
	}
	reject := func(reason error) (any, error) {
		resolver.Reject(reason)
		return nil, nil
	}
	for i, p := range promises {
		e.Then(p, func(value any) (any, error) {
			values[i] = value
			if left--; left == 0 {
				resolver.Resolve(values)
			}
			return nil, nil
		}, reject)
	}
	return all
}
