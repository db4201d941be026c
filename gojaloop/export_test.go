package gojaloop

import "github.com/eventloop-go/eventloop"

// NativeNames are the names of what only the runtime's own scripts have.
func NativeNames() []string {
	rt := New(eventloop.New(), WithModules(nil))
	return rt.natives().(interface{ GetOwnPropertyNames() []string }).GetOwnPropertyNames()
}
