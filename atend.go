package eventloop

// An ender has a package's functions for the loop's end: see adapter.Hooks.AtEnd.
type ender struct{ stop, end func() }

// addEnder adds one, unless the end has begun, so every added ender is called.
func (l *Loop) addEnder(e ender) error {
	l.in.mu.lock()
	defer l.in.mu.unlock()
	if !l.in.accepting() {
		return l.in.refusal()
	}
	l.enders = append(l.enders, e)
	return nil
}

// endEnders calls the remaining enders, and then the last part of finish, also if one calls Goexit.
func (l *Loop) endEnders(finally func()) {
	if len(l.enders) == 0 {
		finally()
		return
	}
	e := l.enders[0]
	l.enders = l.enders[1:]
	defer l.endEnders(finally)
	l.isolate(e.end)
}
