package promise

// ThenElse attaches two functions to p, of which one will run: fulfilled with the value, or rejected with the error. The
// promise returned takes its outcome. An error of fulfilled is not given to rejected: that is the difference from Then
// followed by Catch.
//
// Otherwise it is as [Then], at the same cost. ECMA-262: Promise.prototype.then with two arguments.
func ThenElse[T, U any](p *Promise[T], fulfilled func(T) (U, error), rejected func(error) (U, error)) *Promise[U] {
	t := &thenElse[T, U]{fulfilled: fulfilled, rejected: rejected}
	t.job = t
	t.start(p.home())
	p.attach(&t.node)
	return &t.Promise
}

type thenElse[T, U any] struct {
	reaction[U]
	fulfilled func(T) (U, error)
	rejected  func(error) (U, error)
}

func (t *thenElse[T, U]) Run() {
	p, onValue, onError := from[T](&t.node), t.fulfilled, t.rejected
	t.job, t.fulfilled, t.rejected = nil, nil, nil
	r := p.outcome()
	var v U
	var err error
	if r != nil {
		v, err = onError(r.err)
	} else {
		v, err = onValue(p.value)
	}
	t.endOnLoop(v, err)
}
