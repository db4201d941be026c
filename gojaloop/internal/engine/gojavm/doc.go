// Package gojavm implements package engine for goja. All code that depends on goja's internals is here: where goja
// keeps promise jobs, the types of its objects, how it compiles, and guards against its faults.
package gojavm
