//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package netpoll

// system is none.
var system = Unsupported
