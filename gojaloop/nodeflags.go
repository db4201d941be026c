package gojaloop

// WithNodeFlags sets process.execArgv, and follows those of Node's flags that are about warnings and rejections:
// --no-warnings, --no-deprecation, --throw-deprecation, --trace-deprecation, --trace-warnings, and
// --unhandled-rejections=MODE with throw (the default), strict, warn, warn-with-error-code or none. All others change
// nothing.
func WithNodeFlags(flags ...string) Option { return func(o *options) { o.flags = flags } }
