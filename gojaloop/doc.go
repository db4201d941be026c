// Package gojaloop will bind a goja JavaScript runtime to the event loop.
package gojaloop
