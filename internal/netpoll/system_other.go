//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package netpoll

// System returns a set of connections, for there are none of descriptors.
func System() Calls { return new(RawSet) }
