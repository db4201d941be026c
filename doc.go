// Package eventloop is the JavaScript event loop for Go: tasks, timers, microtasks and immediates on one owner
// goroutine, in Node.js's order, callable from any goroutine.
package eventloop
