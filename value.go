package eventloop

// withValue is adapter.WithValue.
func withValue(key, value any) Option {
	return optionFunc(func(l *Loop) {
		if l.values == nil {
			l.values = make(map[any]any)
		}
		l.values[key] = value
	})
}
