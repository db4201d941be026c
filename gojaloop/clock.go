package gojaloop

// elapsed is performance.now: milliseconds since the runtime was made, by a clock that does not jump.
func (rt *Runtime) elapsed() float64 { return rt.env.Now() }
