// Package libuv enters the event loop of Node.js, driven from Go: libuv. It exists only in programs that are built
// with the tag libuv, because it needs cgo and libuv's development files (on Debian: libuv1-dev).
package libuv
