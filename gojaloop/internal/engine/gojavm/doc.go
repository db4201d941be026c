// Package gojavm is goja behind package engine, and all that looks into goja: where it keeps promise jobs and what an object
// is, how it compiles, and the guards before what it gets wrong.
package gojavm
