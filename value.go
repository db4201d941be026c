package eventloop

// WithValue keeps a value with the loop, for packages that build on it: their settings, found again with
// [Loop.Value]. As with [context.WithValue], key should be of a type that the package does not export.
func WithValue(key, value any) Option {
	return optionFunc(func(l *Loop) {
		if l.values == nil {
			l.values = make(map[any]any)
		}
		l.values[key] = value
	})
}

// Value returns what [WithValue] keeps under key, or nil. The set of values never changes once [New] has returned, so
// any goroutine may ask.
func (l *Loop) Value(key any) any { return l.values[key] }
