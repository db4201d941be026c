package gojaloop

import "github.com/eventloop-go/eventloop"

// NativeNames are the names of what only the runtime's own scripts have.
func NativeNames() []string {
	return New(eventloop.New(), WithModules(nil)).vm.NativeNames()
}
