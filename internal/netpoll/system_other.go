//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package netpoll

// System returns a set of connections, because this system has no set of descriptors.
func System() Calls { return new(RawSet) }
